"""
at-date.py DATE COMMAND ARGUMENT…  runs a command at another date: `python3 scripts/at-date.py 2028-02-29T23:58:00Z npm test`

The clock of the command and of every process that it starts is ahead by as much as DATE is now. As TimeChaos of Chaos Mesh
does, it replaces the functions of the vDSO that read the real-time clock, in the memory of each process, when the process
begins to execute a program. Timers and time-outs of these programs use other clocks, and stay as they are. libfaketime cannot shift Restate
and Go, which are statically linked; Redis, Chromium and lock time-outs of PostgreSQL hang with it.

For Linux on x86-64. File times are those of the real clock.
"""

import ctypes
import datetime
import os
import signal
import struct
import sys

PTRACE_POKEDATA, PTRACE_CONT, PTRACE_SEIZE, PTRACE_LISTEN = 5, 7, 0x4206, 0x4208
EVENT_FORK, EVENT_VFORK, EVENT_CLONE, EVENT_EXEC, EVENT_STOP = 1, 2, 3, 4, 128
FOLLOW = sum(1 << event for event in (EVENT_FORK, EVENT_VFORK, EVENT_CLONE, EVENT_EXEC))
STOPS = (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
AT_SYSINFO_EHDR = 33
SHT_DYNSYM = 11
WALL = 0x40000000
WORD = 8

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, pid, address=0, data=0):
    if libc.ptrace(request, pid, address, data) == -1:
        raise OSError(ctypes.get_errno(), f"ptrace {request} of {pid}")


def replacements(seconds):
    """The machine code of each function: the system call, then the addition to the seconds of its result."""
    load = b"\x48\xb9" + struct.pack("<q", seconds)  # movabs rcx, seconds
    return {
        # mov eax, 228; syscall; test edi, edi (CLOCK_REALTIME); jz add; cmp edi, 5 (CLOCK_REALTIME_COARSE); jne end
        # add: movabs rcx, seconds; add [rsi], rcx; end: ret
        "__vdso_clock_gettime": b"\xb8\xe4\x00\x00\x00\x0f\x05\x85\xff\x74\x05\x83\xff\x05\x75\x0d"
        + load
        + b"\x48\x01\x0e\xc3",
        # mov eax, 96; syscall; test rdi, rdi; jz end; movabs rcx, seconds; add [rdi], rcx; end: ret
        "__vdso_gettimeofday": b"\xb8\x60\x00\x00\x00\x0f\x05\x48\x85\xff\x74\x0d" + load + b"\x48\x01\x0f\xc3",
        # mov eax, 201; xor edx, edx; xchg rdx, rdi; syscall; movabs rcx, seconds; add rax, rcx; test rdx, rdx; jz end
        # mov [rdx], rax; end: ret
        "__vdso_time": b"\xb8\xc9\x00\x00\x00\x31\xd2\x48\x87\xd7\x0f\x05"
        + load
        + b"\x48\x01\xc8\x48\x85\xd2\x74\x03\x48\x89\x02\xc3",
    }


def functions_of(vdso):
    """The offset and the size of each function."""
    (table,) = struct.unpack_from("<Q", vdso, 40)
    size, count = struct.unpack_from("<HH", vdso, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", vdso, table + i * size) for i in range(count)]
    symbols = next(section for section in sections if section[1] == SHT_DYNSYM)
    names = sections[symbols[6]][4]
    found = {}
    for offset in range(symbols[4], symbols[4] + symbols[5], 24):
        name, _, _, _, value, length = struct.unpack_from("<IBBHQQ", vdso, offset)
        found[vdso[names + name : vdso.index(b"\0", names + name)].decode()] = (value, length)
    return found


def words_to_write(seconds):
    """The vDSO is the same in every process: the offset and the value of each word that changes."""
    with open("/proc/self/maps") as file:
        line = next(line for line in file if line.rstrip().endswith("[vdso]"))
    start, end = (int(part, 16) for part in line.split()[0].split("-"))
    vdso = ctypes.string_at(start, end - start)
    functions = functions_of(vdso)
    words = []
    for name, code in replacements(seconds).items():
        offset, length = functions[name]
        if len(code) > length:
            sys.exit(f"at-date.py: {name} has {length} bytes; {len(code)} are needed")
        code += vdso[offset + len(code) : offset + len(code) + -len(code) % WORD]
        words += [(offset + i, *struct.unpack_from("<Q", code, i)) for i in range(0, len(code), WORD)]
    return words


def shift(pid, words):
    """`pid` has replaced its program, and has executed nothing of the new one."""
    with open(f"/proc/{pid}/auxv", "rb") as file:
        base = dict(struct.iter_unpack("<QQ", file.read()))[AT_SYSINFO_EHDR]
    for offset, word in words:
        ptrace(PTRACE_POKEDATA, pid, base + offset, word)


def let_go_on(pid, status, words):
    event, stop = status >> 16, os.WSTOPSIG(status)
    if event == EVENT_EXEC:
        shift(pid, words)
    if event == EVENT_STOP and stop in STOPS:
        # It stays stopped until somebody sends SIGCONT.
        ptrace(PTRACE_LISTEN, pid)
    else:
        ptrace(PTRACE_CONT, pid, 0, stop if event == 0 else 0)


def follow(child, words):
    """Returns the exit status of `child`. Processes that are left then keep their clock; those they start do not get it."""
    while True:
        pid, status = os.waitpid(-1, WALL)
        if pid == child and not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        if os.WIFSTOPPED(status):
            try:
                let_go_on(pid, status, words)
            except (FileNotFoundError, ProcessLookupError, KeyError):
                pass  # It was killed meanwhile.


def main():
    if len(sys.argv) < 3:
        sys.exit("Usage: at-date.py DATE COMMAND ARGUMENT…")
    try:
        date = datetime.datetime.fromisoformat(sys.argv[1])
    except ValueError as error:
        sys.exit(f"at-date.py: {error}")
    words = words_to_write(round(date.timestamp() - datetime.datetime.now().timestamp()))
    wait, ready = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ready)
        os.read(wait, 1)
        os.execvp(sys.argv[2], sys.argv[2:])
    # A terminal sends SIGINT to the child too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(child, number))
    ptrace(PTRACE_SEIZE, child, 0, FOLLOW)
    os.write(ready, b".")
    status = follow(child, words)
    sys.exit(status if status >= 0 else 128 - status)


main()
