// SPDX-License-Identifier: MIT
// system-call NAME: makes one system call, so that a filter can be seen to refuse it, and prints what came of
// it: "made", or the error's name.
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

struct Call {
  const char* name;
  long number;
  long arguments[3];
};

// Arguments with which each is harmless, and fails, if it is not refused, with another error than EPERM.
const Call calls[] = {
    {"memfd_create", SYS_memfd_create, {reinterpret_cast<long>("x"), 0, 0}},
    {"shmget", SYS_shmget, {0, 0, 0}},
    {"msgget", SYS_msgget, {1, 0, 0}},
    {"semget", SYS_semget, {1, 0, 0}},
    {"mq_open", SYS_mq_open, {0, 0, 0}},
    {"unshare", SYS_unshare, {1, 0, 0}},
    {"setns", SYS_setns, {-1, 0, 0}},
    {"clone of a namespace", SYS_clone, {CLONE_NEWUSER | CLONE_FS, 0, 0}},
    {"clone3", SYS_clone3, {0, 0, 0}},
    {"io_uring_setup", SYS_io_uring_setup, {0, 0, 0}},
    {"ptrace", SYS_ptrace, {-1, 0, 0}},
    {"process_vm_readv", SYS_process_vm_readv, {0, 0, 0}},
    {"userfaultfd", SYS_userfaultfd, {-1, 0, 0}},
    {"bpf", SYS_bpf, {-1, 0, 0}},
    {"perf_event_open", SYS_perf_event_open, {0, 0, 0}},
    {"keyctl", SYS_keyctl, {-1, 0, 0}},
    {"add_key", SYS_add_key, {0, 0, 0}},
    {"fsopen", SYS_fsopen, {0, 0, 0}},
    {"socket of the network", SYS_socket, {AF_INET, SOCK_STREAM, 0}},
    {"socket of a virtual machine", SYS_socket, {AF_VSOCK, SOCK_STREAM, 0}},
    {"socket of this machine", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
    {"getpid", SYS_getpid, {0, 0, 0}},
#ifdef __x86_64__
    {"getpid of x32", SYS_getpid | 0x40000000, {0, 0, 0}},
#endif
};

}  // namespace

int main(int count, char** words) {
  if (count == 1) {
    for (const Call& call : calls) std::puts(call.name);
    return 0;
  }
  for (const Call& call : calls) {
    if (std::string_view(call.name) != words[1]) continue;
    const long result =
        syscall(call.number, call.arguments[0], call.arguments[1], call.arguments[2], 0, 0, 0);
    std::puts(result >= 0 ? "made" : strerrorname_np(errno));
    return 0;
  }
  return 2;
}
