// SPDX-License-Identifier: MIT
#error "half-precision numbers are not simulated: they need a GPU"
