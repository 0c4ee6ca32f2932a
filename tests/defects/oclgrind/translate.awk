# SPDX-License-Identifier: MIT
# awk -v kernel=NAME -v defect=0|1 -f translate.awk *_kernels.cpp: this version of a kernel in OpenCL C, line for line.
# Fails with 3 where OpenCL C 1.2 has no words for it: operations of warps, barriers that count, pointers in memory.
#
# A pointer needs the name of the memory that it leads to: arguments lead to global memory, and so does all that is
# made from them; what is made from a name declared __shared__ leads to local memory.

function memory_of(expression,    name) {
  for (name in shared) {
    if (expression ~ ("(^|[^A-Za-z_])" name "([^A-Za-z_]|$)")) return "local"
  }
  return "global"
}

# "const unsigned* in, bool doubled" with the memory of each pointer, and without bool, which no argument can be.
function parameters(list,    part, count, i, result) {
  count = split(list, part, ", ")
  for (i = 1; i <= count; ++i) {
    sub(/^bool /, "uint ", part[i])
    result = result (i > 1 ? ", " : "") (part[i] ~ /\*/ ? "global " : "") part[i]
  }
  return result
}

function indices(code,    d, axis) {
  for (d = 0; d < 3; ++d) {
    axis = "\\." substr("xyz", d + 1, 1)
    gsub("threadIdx" axis, "(uint)get_local_id(" d ")", code)
    gsub("blockIdx" axis, "(uint)get_group_id(" d ")", code)
    gsub("blockDim" axis, "(uint)get_local_size(" d ")", code)
    gsub("gridDim" axis, "(uint)get_num_groups(" d ")", code)
  }
  return code
}

function casts(code) {
  while (match(code, /static_cast<[^>]*>\(/)) {
    code = substr(code, 1, RSTART - 1) "CAST(" substr(code, RSTART + 12, RLENGTH - 14) ", " substr(code, RSTART + RLENGTH)
  }
  while (match(code, /reinterpret_cast<[^>]*>\(/)) {
    code = substr(code, 1, RSTART - 1) "CAST(" memory_of(substr(code, RSTART + RLENGTH)) " " \
      substr(code, RSTART + 17, RLENGTH - 19) ", " substr(code, RSTART + RLENGTH)
  }
  return code
}

function translated(code) {
  sub(/ *\/\/.*/, "", code)
  gsub(/if constexpr \(/, "if (", code)
  if (code ~ /^ *extern __shared__/) return ""  # it has become a parameter
  sub(/__shared__ /, "local ", code)
  if (code ~ /^ *constexpr /) { sub(/constexpr unsigned /, "enum { ", code); sub(/;/, " };", code) }
  if (match(code, /^ *(const )?(unsigned|unsigned char|int|unsigned long long)\* const [a-z_]+ = /)) {
    sub(/^ */, "&" memory_of(substr(code, RLENGTH + 1)) " ", code)
  }
  code = casts(code)
  gsub(/unsigned long long/, "ulong", code)
  gsub(/make_uint4/, "(uint4)", code)
  gsub(/1ull/, "1ul", code)
  return indices(code)
}

function declare_shared(line,    name) {
  name = line
  sub(/ *(\[|;).*/, "", name)
  sub(/.* /, "", name)
  shared[name] = 1
  if (line ~ /extern/) { dynamic = line; sub(/ *extern __shared__/, ", local", dynamic); sub(/ [a-z_]*\[\];.*/, "* " name, dynamic) }
}

index($0, "__global__ void " kernel "(") == 1 { inside = 1; first_line = FNR; file = FILENAME; sub(/.*\//, "", file) }
!inside { next }
{ body[++lines] = $0 }
/__shared__/ { declare_shared($0) }
/__[a-z_]+_sync\(|__syncwarp|__syncthreads_|\* const\*/ { inexpressible = 1 }
/unsigned long long/ { wide = 1 }
/^}/ { exit }

END {
  if (!lines || inexpressible) exit 3
  print "#define defect " defect
  print "#define CAST(type, value) ((type)(value))"
  print "#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"
  print "#define __threadfence() mem_fence(CLK_GLOBAL_MEM_FENCE)"
  print "#define __threadfence_block() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"
  print "#define __nanosleep(time)"
  print "#define atomicAdd " (wide ? "atom_add" : "atomic_add")
  print "#define atomicMax atomic_max"
  print "#define atomicMin atomic_min"
  print "#define atomicExch atomic_xchg"
  print "#define atomicCAS atomic_cmpxchg"
  print "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable"
  # As OpenCL's books do it: there is no atomic sum of floats.
  print "float __attribute__((overloadable)) atomic_add(volatile global float* sum, float value) {"
  print "  union { uint bits; float number; } seen, wanted;"
  print "  do { seen.bits = atomic_or((volatile global uint*)sum, 0); wanted.number = seen.number + value;"
  print "  } while (atomic_cmpxchg((volatile global uint*)sum, seen.bits, wanted.bits) != seen.bits);"
  print "  return seen.number;"
  print "}"
  print "#line " first_line " \"" file "\""
  list = body[1]
  sub(/^[^(]*\(/, "", list)
  sub(/\) \{$/, "", list)
  print "kernel void " kernel "(" parameters(list) dynamic ") {"
  for (i = 2; i <= lines; ++i) print translated(body[i])
}
