import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * A root with musl and nothing of glibc in it but libstdc++ and libgcc, which Debian builds for glibc only: what those two
 * want of it is a handful of names, given here. Resolves with a command that runs the program inside; needs root, apt-get
 * and a C compiler. `/tmp` is that of the machine.
 */
export async function muslCommand(program, folder) {
  const root = join(folder, "root");
  const packages = join(folder, "packages");
  await mkdir(packages, { recursive: true });
  await execute("apt-get", ["download", "musl", "libstdc++6", "libgcc-s1"], { cwd: packages });
  for (const name of await readdir(packages)) {
    if (name.endsWith(".deb")) await execute("dpkg-deb", ["-x", join(packages, name), packages]);
  }
  for (const name of ["bin", "dev", "lib", "proc", "tmp"]) await mkdir(join(root, name), { recursive: true });
  const taken = {
    "ld-musl-x86_64.so.1": "lib/x86_64-linux-musl/libc.so",
    "libgcc_s.so.1": "lib/x86_64-linux-gnu/libgcc_s.so.1",
    "libstdc++.so.6": "usr/lib/x86_64-linux-gnu/libstdc++.so.6",
  };
  for (const [name, from] of Object.entries(taken)) await copyFile(join(packages, from), join(root, "lib", name));
  await symlink("ld-musl-x86_64.so.1", join(root, "lib/libc.musl-x86_64.so.1"));
  await writeFile(join(folder, "names.c"), names);
  const library = join(root, "lib/ld-linux-x86-64.so.2");
  await execute("cc", [
    "-shared",
    "-fPIC",
    "-nostdlib",
    "-O1",
    "-Wl,-soname,ld-linux-x86-64.so.2",
    "-o",
    library,
    join(folder, "names.c"),
  ]);
  await copyFile(program, join(root, "bin/program"));
  const command = join(folder, "in-musl");
  const mounts = ["tmp", "proc", "dev"].map((name) => `/bin/mount --rbind /${name} ${root}/${name}`).join(" && ");
  const inside = `${mounts} && exec /usr/sbin/chroot ${root} /bin/program "$@"`;
  await writeFile(command, `#!/bin/sh\nexec /usr/bin/unshare --mount /bin/sh -c '${inside}' sh "$@"\n`);
  await chmod(command, 0o755);
  return command;
}

const names = `#include <stddef.h>
struct tm;
extern size_t strftime_l(char *, size_t, const char *, const struct tm *, void *);
extern long getrandom(void *, size_t, unsigned);
extern void *malloc(size_t), *pthread_getspecific(unsigned);
extern void free(void *);
extern int pthread_key_create(unsigned *, void (*)(void *)), pthread_setspecific(unsigned, const void *);
extern int pthread_once(int *, void (*)(void));

char __libc_single_threaded;
struct { unsigned fields[4]; } __cpu_model;
int __cpu_indicator_init(void) { return 0; }
int _dl_find_object(void *at, void *found) { return -1; }
size_t __strftime_l(char *to, size_t most, const char *format, const struct tm *time, void *locale) {
  return strftime_l(to, most, format, time, locale);
}
unsigned arc4random(void) {
  unsigned number = 0;
  getrandom(&number, sizeof number, 0);
  return number;
}

struct end { void (*call)(void *); void *with; struct end *next; };
static unsigned key;
static int made;
static void run(void *first) {
  for (struct end *end = first, *next; end; end = next) {
    next = end->next;
    end->call(end->with);
    free(end);
  }
}
static void make(void) { pthread_key_create(&key, run); }
int __cxa_thread_atexit_impl(void (*call)(void *), void *with, void *library) {
  pthread_once(&made, make);
  struct end *end = malloc(sizeof *end);
  *end = (struct end){ call, with, pthread_getspecific(key) };
  return pthread_setspecific(key, end);
}
`;
