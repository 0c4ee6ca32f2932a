// SPDX-License-Identifier: MIT
// The interleaved solution of lab 05 in OpenCL C, for speed.sh: a load and an atomic for each byte. And a kernel that
// does nothing, for what Oclgrind takes to start and to read its input.
kernel void histogram(global const uchar* data, uint length, global uint* histo) {
  local uint counts[256];
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0)) counts[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < length; i += get_global_size(0)) atomic_inc(&counts[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0)) {
    if (counts[bin] > 0) atomic_add(&histo[bin], counts[bin]);
  }
}

kernel void nothing(global const uchar* data, uint length, global uint* histo) {}
