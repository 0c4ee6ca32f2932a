// SPDX-License-Identifier: MIT
#error "cooperative groups are not simulated: they need a GPU"
