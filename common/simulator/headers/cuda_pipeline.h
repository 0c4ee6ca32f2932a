// SPDX-License-Identifier: MIT
#error "asynchronous copies are not simulated: they need a GPU"
