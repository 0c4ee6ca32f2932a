// SPDX-License-Identifier: MIT
#error "tensor cores are not simulated: they need a GPU"
