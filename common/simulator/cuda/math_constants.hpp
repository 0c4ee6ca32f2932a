// SPDX-License-Identifier: MIT
// <math_constants.h>: the limits and numbers that kernels take from there.
#pragma once

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_MIN_DENORM_F __int_as_float(1)
#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)
#define CUDART_NEG_ZERO_F (-0.0f)
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_LN2_F 0.693147181f
#define CUDART_PI_F 3.141592654f
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __longlong_as_double(static_cast<long long>(0xfff8000000000000))
#define CUDART_MIN_DENORM __longlong_as_double(1)
#define CUDART_NEG_ZERO (-0.0)
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO 1.4142135623730951
#define CUDART_LN2 0.69314718055994529
#define CUDART_PI 3.1415926535897931
