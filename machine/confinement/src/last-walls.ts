import { machineOf, seccompFilter } from "./seccomp-filter.ts";

/** Walls that no mount makes; a process puts them around itself. */
export interface LastWalls {
  /** No unix or vsock sockets. */
  readonly sockets: boolean;
  /** Nothing is opened for writing but below these, pipes included: a read-only mount does not stop writing to a pipe. */
  readonly pipes: boolean;
}

/**
 * Perl, which Debian and Ubuntu always have, makes the kernel's calls; Node and util-linux (before 2.41) have none for
 * them. Arguments: the number of prctl, the filter in hex or nothing, how many paths follow, the paths, the command.
 */
const script = `use strict;
my ($prctl, $filter, $count, @rest) = @ARGV;
my @paths = splice(@rest, 0, $count);
sub fail { print STDERR "The sandbox could not be made: $_[0]: $!\\n"; exit 125 }
syscall($prctl + 0, 38, 1, 0, 0, 0) == 0 or fail("no_new_privs");
if (@paths) {
  my $rights = 2 | 8192;
  my $attributes = pack("Q", $rights);
  my $rules = syscall(444, $attributes, 8, 0);
  $rules >= 0 or fail("landlock");
  for my $path (@paths) {
    -d $path or next;
    sysopen(my $directory, $path, 010000000) or fail($path);
    my $rule = pack("Ql", $rights, fileno($directory));
    syscall(445, $rules, 1, $rule, 0) == 0 or fail("landlock $path");
  }
  syscall(446, $rules, 0) == 0 or fail("landlock");
}
if ($filter ne "") {
  my $code = pack("H*", $filter);
  my $program = pack("Sx6P", length($code) / 8, $code);
  syscall($prctl + 0, 22, 2, $program) == 0 or fail("seccomp");
}
exec { $rest[0] } @rest or fail($rest[0]);
`;

const perl = "/usr/bin/perl";

/**
 * The words in front of a command that put the last walls around it; none where there are none. `root` is among what may be
 * written when the project may. Landlock's rights: to open for writing, and to move from directory to directory, which is
 * refused everywhere unless it is allowed somewhere.
 */
export function lastWallWords(walls: LastWalls, writable: readonly string[], arch: string = process.arch): string[] {
  const machine = machineOf(arch);
  if (machine === undefined || (!walls.sockets && !walls.pipes)) return [];
  const filter = walls.sockets ? seccompFilter(machine).toString("hex") : "";
  const paths = walls.pipes ? ["/dev", "/proc", "/tmp", "/var/tmp", ...writable] : [];
  return [perl, "-e", script, String(machine.prctl), filter, String(paths.length), ...paths];
}
