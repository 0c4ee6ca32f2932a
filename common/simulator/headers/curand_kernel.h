// SPDX-License-Identifier: MIT
#error "random numbers of cuRAND are not simulated: they need a GPU"
