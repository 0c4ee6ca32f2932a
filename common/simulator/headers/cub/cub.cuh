// SPDX-License-Identifier: MIT
#error "CUB is not simulated: it needs a GPU"
