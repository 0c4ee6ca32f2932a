// SPDX-License-Identifier: MIT
// lab-restrict [--device] PROGRAM ARGUMENTS: runs a program that may not make the system calls below, nor may
// what it starts: they reach what no limit of a process does. With --device memory files and sockets are left
// to it, as a GPU's driver may need them. Refused calls fail with EPERM, as in a container. The filter is a
// program of the system's (seccomp_filter in the manual pages, seccomp(2)); it cannot be taken off again.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned architecture = 0;  // nothing runs there
#endif

// Memory that belongs to no process's size.
constexpr int memory[] = {SYS_memfd_create, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open,
#ifdef SYS_memfd_secret
                          SYS_memfd_secret
#endif
};

constexpr int refused[] = {
    // namespaces and mounts
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
#ifdef SYS_fsopen
    SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_move_mount, SYS_open_tree,
#endif
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
// calls that go round a filter, or ways into the kernel that few have tried
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
    SYS_userfaultfd, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_fanotify_init,
    // the machine
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_quotactl, SYS_acct, SYS_syslog, SYS_settimeofday, SYS_clock_settime};

constexpr unsigned new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

sock_filter statement(unsigned code, unsigned value) {
  return {static_cast<unsigned short>(code), 0, 0, value};
}
sock_filter answer(int error) {
  return statement(BPF_RET | BPF_K, error == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | error);
}
sock_filter load(std::size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
// Goes on behind the next instruction unless the comparison holds.
sock_filter next_if(unsigned comparison, unsigned value) {
  return {static_cast<unsigned short>(BPF_JMP | comparison | BPF_K), 0, 1, value};
}
// Leaves out so many instructions unless what was loaded is the value.
sock_filter skip_unless(unsigned value, unsigned char instructions) {
  return {static_cast<unsigned short>(BPF_JMP | BPF_JEQ | BPF_K), 0, instructions, value};
}

void refuse(std::vector<sock_filter>& program, int call, int error = EPERM) {
  program.insert(program.end(), {next_if(BPF_JEQ, static_cast<unsigned>(call)), answer(error)});
}

std::vector<sock_filter> filter(bool with_device) {
  // Both machines have the less significant half of an argument first.
  constexpr std::size_t first_argument = offsetof(seccomp_data, args);
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)), skip_unless(architecture, 1),
                                   statement(BPF_JMP | BPF_JA, 1), answer(EPERM),
                                   load(offsetof(seccomp_data, nr))};
#ifdef __x86_64__
  // The same calls by other numbers (x32).
  program.insert(program.end(), {next_if(BPF_JGE, 0x40000000), answer(EPERM)});
#endif
  for (const int call : refused) refuse(program, call);
  // Its flags lie in memory, where a filter cannot look; the C library then calls clone.
  refuse(program, SYS_clone3, ENOSYS);
  program.insert(program.end(), {skip_unless(SYS_clone, 4), load(first_argument),
                                 next_if(BPF_JSET, new_namespaces), answer(EPERM), answer(0)});
  if (with_device) {
    program.push_back(answer(0));
    return program;
  }
  for (const int call : memory) refuse(program, call);
  // Sockets between processes of one machine alone; some other kinds know no namespace of networks.
  program.insert(program.end(), {skip_unless(SYS_socket, 4), load(first_argument), next_if(BPF_JEQ, AF_UNIX),
                                 answer(0), answer(EAFNOSUPPORT)});
  program.push_back(answer(0));
  return program;
}

}  // namespace

int main(int count, char** words) {
  const bool with_device = count > 1 && std::strcmp(words[1], "--device") == 0;
  char** const command = words + (with_device ? 2 : 1);
  if (count < (with_device ? 3 : 2)) {
    std::fprintf(stderr, "usage: lab-restrict [--device] PROGRAM ARGUMENTS\n");
    return 2;
  }
  if (architecture == 0) {
    std::fprintf(stderr, "lab-restrict: the system calls of this machine are not known\n");
    return 126;
  }
  std::vector<sock_filter> instructions = filter(with_device);
  const sock_fprog program{static_cast<unsigned short>(instructions.size()), instructions.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    std::fprintf(stderr, "lab-restrict: cannot refuse system calls: %s\n", std::strerror(errno));
    return 126;
  }
  execvp(command[0], command);
  std::fprintf(stderr, "lab-restrict: cannot run %s: %s\n", command[0], std::strerror(errno));
  return 127;
}
