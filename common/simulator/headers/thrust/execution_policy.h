// SPDX-License-Identifier: MIT
#error "Thrust is not simulated: it needs a GPU"
