const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** Programs that write, by an option, a script or a side effect of theirs that few readers of commands know. */
const programs: readonly string[] = lines(String.raw`
python3 -c 'import pathlib; pathlib.Path("n1").touch()'
python3 -c 'import os; os.mkdir("n1")'
python3 -c 'import os; os.symlink("a.txt", "n1")'
python3 -c 'import os; os.link("a.txt", "n1")'
python3 -c 'import os; os.rename("a.txt", "n1")'
python3 -c 'import os; os.remove("b.txt")'
python3 -c 'import os; os.mkfifo("n1")'
python3 -c 'import os; os.chmod("a.txt", 0o600)'
python3 -c 'import os; os.truncate("a.txt", 1)'
python3 -c 'import os; os.close(os.open("n1", os.O_CREAT | os.O_WRONLY))'
python3 -c 'import os; os.system(": >n1")'
python3 -c 'import os; os.popen(": >n1").read()'
python3 -c 'import os; os.execlp("touch", "touch", "n1")'
python3 -c 'import os; os.posix_spawn("/usr/bin/touch", ["touch", "n1"], os.environ); os.wait()'
python3 -c 'import subprocess; subprocess.run(["touch", "n1"])'
python3 -c 'import pty; pty.spawn(["touch", "n1"])'
python3 -c 'import shutil; shutil.copy("a.txt", "n1")'
python3 -c 'import shutil; shutil.rmtree("src")'
python3 -c 'import shutil; shutil.make_archive("n1", "tar", "src")'
python3 -c 'import ctypes; ctypes.CDLL(None).creat(b"n1", 0o644)'
python3 -c 'import ctypes; ctypes.CDLL(None).syscall(83, b"n1", 0o755)'
python3 -c 'import ctypes; ctypes.CDLL(None).system(b": >n1")'
python3 -c 'import mmap; f = open("a.txt", "r+b"); mmap.mmap(f.fileno(), 0)[0:1] = b"X"'
python3 -c 'import sqlite3; sqlite3.connect("n1").execute("create table t (a)")'
python3 -c 'import dbm.dumb as d; d.open("n1", "c").close()'
python3 -c 'import shelve; shelve.open("n1").close()'
python3 -c 'import tempfile; tempfile.mkstemp(dir=".")'
python3 -c 'import logging; logging.basicConfig(filename="n1"); logging.error("x")'
python3 -c 'import zipfile; zipfile.ZipFile("n1", "w").close()'
python3 -c 'import gzip; gzip.open("n1", "w").close()'
python3 -c 'import fileinput; [print("x") for _ in fileinput.input("a.txt", inplace=True)]'
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("n1")'
python3 -c 'import threading as t; t.Thread(target=lambda: open("n1", "w")).start()'
python3 -c 'import multiprocessing as m; p = m.get_context("fork").Process(target=open, args=("n1", "w")); p.start(); p.join()'
python3 -c 'exec(bytes.fromhex("6f70656e28226e31222c22772229"))'
python3 -c 'import base64; exec(base64.b64decode("b3BlbigibjEiLCJ3Iik="))'
python3 -c '__import__("os").mknod("n1")'
python3 -c 'import os; os.setxattr("a.txt", b"user.x", b"y"); open("n1", "w")'
python3 -c 'import os; os.utime("a.txt", (0, 0)); os.chmod("a.txt", 0o400)'
python3 -c 'import os; d = os.open("src", os.O_RDONLY); os.unlink("util.ts", dir_fd=d)'
python3 -c 'import os; os.replace("b.txt", "a.txt")'
python3 -c 'import atexit; atexit.register(open, "n1", "w")'
python3 -X importtime -c 'open("n1", "w")'
python3 -m compileall -q -f src; python3 -c 'open("n1", "w")'
python3 -m py_compile script.sh; python3 -m tarfile -c n1 a.txt
python3 -m tarfile -e arch.tar
python3 -m zipfile -e arch.zip .
python3 -m zipapp src -m a:b -o n1
python3 -m json.tool package.json n1
python3 -m cProfile -o n1 -c 'pass' || python3 -m cProfile -o n1 -m this
python3 -m cProfile -o n1 -m platform
python3 -m trace --count -C . --module platform
python3 -m timeit -n1 -r1 'open("n1", "w")'
python3 -m gzip a.txt
python3 -m pydoc -w platform
python3 -m venv --without-pip n1
python3 -m ensurepip --version; python3 -m pdb -c 'open("n1","w")' -c q -m platform
python3 -m site; python3 -m code <<< 'open("n1", "w")'
python3 -m asyncio <<< 'open("n1", "w")'
python3 -i -c '' <<< 'open("n1", "w")'
python3 <<< 'open("n1", "w")'
python3 /dev/stdin <<< 'open("n1", "w")'
python3 <(echo 'open("n1", "w")')
PYTHONSTARTUP=<(echo 'open("n1", "w")') python3 -i <<< ''
PYTHONINSPECT=1 python3 -c 'open("n1", "w")' < /dev/null
echo 'open("n1", "w")' | python3.11 -
perl -e 'mkdir "n1"'
perl -e 'symlink "a.txt", "n1"'
perl -e 'link "a.txt", "n1"'
perl -e 'rename "a.txt", "n1"'
perl -e 'unlink "b.txt"'
perl -e 'truncate "a.txt", 1'
perl -e 'chmod 0600, "a.txt"'
perl -e 'sysopen F, "n1", 65'
perl -e 'syscall 85, "n1", 0644'
perl -e 'open F, "| cat >n1"; print F 1'
perl -e 'system "touch n1"'
perl -e 'exec "touch", "n1"'
perl -e '$x = qx(touch n1)'
perl -MPOSIX -e 'mkfifo "n1", 0600'
perl -MPOSIX -e 'creat "n1", 0644'
perl -MFile::Copy -e 'copy "a.txt", "n1"'
perl -MFile::Path -e 'rmtree "src"'
perl -MFile::Path=make_path -e 'make_path "n1/n2"'
perl -MFile::Temp=tempfile -e 'tempfile(DIR => ".")'
perl -MIO::File -e 'IO::File->new("n1", "w")'
perl -MSocket -e 'socket S, PF_UNIX, SOCK_STREAM, 0; bind S, sockaddr_un "n1"'
perl -i.bak -ne 'print uc' a.txt
perl -i -0777 -pe 's/./X/' b.txt
perl -e 'eval pack "H*", "6f70656e20462c223e6e3122"'
perl -e '@ARGV = ("touch n1|"); print <>'
perl -ne 'print' 'touch n1|'
perl -wnlE 'BEGIN { open F, ">", "n1" }' a.txt
perl -e 'require "./writer.pl"' || perl -e 'dump' || perl -e 'mkdir "n1"'
perl <<< 'mkdir "n1"'
perl -x <<< $'#!perl\nmkdir "n1";'
perl -d:Trace -e 1 || PERL5DB='BEGIN { mkdir "n1" }' perl -d -e 1
PERL5OPT=-Mstrict perl -e 'mkdir "n1"'
node -e 'fs.mkdirSync("n1")'
node -e 'fs.symlinkSync("a.txt", "n1")'
node -e 'fs.linkSync("a.txt", "n1")'
node -e 'fs.renameSync("a.txt", "n1")'
node -e 'fs.truncateSync("a.txt", 1)'
node -e 'fs.chmodSync("a.txt", 0o600)'
node -e 'fs.cpSync("src", "n1", { recursive: true })'
node -e 'fs.appendFileSync("a.txt", "x")'
node -e 'fs.createWriteStream("n1").end("x")'
node -e 'fs.openSync("n1", "w")'
node -e 'fs.promises.writeFile("n1", "")'
node -e 'fs.mkdtempSync("./n")'
node -e 'child_process.execSync("touch n1")'
node -e 'child_process.spawnSync("touch", ["n1"])'
node -e 'new worker_threads.Worker("fs.writeFileSync(\"n1\",\"\")", { eval: true })'
node -e 'vm.runInThisContext("require")("fs").mkdirSync("n1")' || node -e 'fs.mkdirSync("n1")'
node -e 'net.createServer().listen("n1", () => process.kill(process.pid, "SIGKILL"))'
node -e 'process.report.writeReport("n1")'
node -e 'v8.writeHeapSnapshot("n1")'
node -e 'eval(Buffer.from("ZnMubWtkaXJTeW5jKCJuMSIp", "base64").toString())'
node -e 'process.on("exit", () => fs.rmSync("b.txt"))'
node --input-type=module -e 'import { mkdirSync } from "fs"; mkdirSync("n1")'
node -r ./writer.js -e 0
node --import ./writer.js -e 0
node --import 'data:text/javascript,import fs from "fs"; fs.mkdirSync("n1")' -e 0
node --cpu-prof --cpu-prof-dir=. -e 0
node --heap-prof --heap-prof-dir=. -e 0
node --redirect-warnings=n1 -e 'process.emitWarning("x")'
node --trace-event-categories v8 --trace-event-file-pattern n1 -e 0
node --report-on-fatalerror --report-uncaught-exception --report-directory=. -e 'throw 1'
node --build-snapshot --snapshot-blob n1 src/deep/x.json || node --build-snapshot --snapshot-blob n1 <(echo 0) || node -e 'fs.mkdirSync("n1")'
node --perf-basic-prof --no-perf-basic-prof -e 'fs.mkdirSync("n1")'
node --prof --logfile=n1 --no-logfile-per-isolate -e 0
node --test --test-reporter=spec --test-reporter-destination=n1 writer.js
node -i <<< 'fs.mkdirSync("n1")'
node - <<< 'fs = require("fs"); fs.mkdirSync("n1")'
node <<< 'require("fs").mkdirSync("n1")'
NODE_OPTIONS='--require ./writer.js' node -e 0
NODE_V8_COVERAGE=. node -e 0
NODE_REDIRECT_WARNINGS=n1 node -e 'process.emitWarning("x")'
NODE_REPL_HISTORY=n1 node -i <<< '1'; node -e 'fs.mkdirSync("n2")'
nodejs -e 'fs.mkdirSync("n1")' || node -e 'fs.mkdirSync("n1")'
tclsh <<< 'close [open n1 w]'
tclsh <<< 'file mkdir n1'
tclsh <<< 'file delete b.txt'
tclsh <<< 'exec touch n1'
tclsh <<< 'file rename a.txt n1'
tclsh <<< 'file copy a.txt n1'
tclsh <<< 'file link -symbolic n1 a.txt'
tclsh8.6 <(echo 'file mkdir n1')
mawk 'BEGIN { printf "x" > "n1" }'
mawk 'BEGIN { system("mkdir n1") }'
mawk 'BEGIN { print "x" | "sh -c \"cat >n1\"" }'
mawk 'BEGIN { print "x" > "/dev/stderr"; print "y" > "n1" }'
mawk 'BEGIN { while (("touch n1; echo" | getline l) > 0) ; }'
mawk -f <(echo 'BEGIN { system("touch n1") }')
nawk '{ print > ($1 ".n") }' a.txt
mawk -W exec <(echo 'BEGIN { system("touch n1") }')
sqlite3 :memory: '.output n1' 'select 1'
sqlite3 :memory: '.once n1' 'select 1'
sqlite3 :memory: '.shell touch n1'
sqlite3 :memory: '.system touch n1'
sqlite3 :memory: '.backup n1'
sqlite3 :memory: '.save n1'
sqlite3 :memory: '.log n1' 'select x'
sqlite3 :memory: 'attach "n1" as n; create table n.t (a)'
sqlite3 :memory: "select writefile('n1', 'x')"
sqlite3 :memory: 'vacuum into "n1"'
sqlite3 :memory: 'create table t (a)' '.clone n1'
sqlite3 :memory: '.open n1' 'create table t (a)'
sqlite3 -init <(echo '.shell touch n1') :memory: 'select 1'
sqlite3 -cmd '.shell touch n1' :memory: 'select 1'
sqlite3 -A -cf n1 a.txt
sqlite3 :memory: '.import "|touch n1" t'
sqlite3 :memory: '.excel' || sqlite3 :memory: '.trace n1' 'select 1'
sqlite3 <<< '.shell touch n1'
java -Xlog:all:file=n1 -version
java -XX:+UnlockDiagnosticVMOptions -XX:+LogVMOutput -XX:LogFile=n1 -version
java -XX:ArchiveClassesAtExit=n1 -version
java -XX:Flags=/dev/null -Xlog:gc*:n1 -version
java -Xshare:dump -XX:SharedArchiveFile=n1 -Xlog:disable
jar cf n1 a.txt
jar xf arch.zip
keytool -genkeypair -alias a -keystore n1 -storepass aaaaaa -keypass aaaaaa -dname CN=a -keyalg EC
gdb -batch -nx -ex 'shell touch n1'
gdb -batch -nx -ex 'python open("n1", "w")'
gdb -batch -nx -ex 'set logging file n1' -ex 'set logging enabled on' -ex 'info line'
gdb -batch -nx -ex 'pipe help | cat >n1'
gdb -batch -nx -ex 'save gdb-index .' -ex '!touch n1'
gdb -batch -nx -ex 'dump value n1 1'
gdb -batch -nx -x <(echo 'shell touch n1')
vim -u NONE -es -c 'call mkdir("n1")' -c 'qa!'
vim -u NONE -es -c 'call writefile(["x"], "n1")' -c 'qa!'
vim -u NONE -es -c 'call delete("b.txt")' -c 'qa!'
vim -u NONE -es -c 'call rename("a.txt", "n1")' -c 'qa!'
vim -u NONE -es -c 'call system("touch n1")' -c 'qa!'
vim -u NONE -es -c '!touch n1' -c 'qa!'
vim -u NONE -es -c 'redir > n1 | echo 1 | redir END' -c 'qa!'
vim -u NONE -es -c 'mksession n1' -c 'qa!'
vim -u NONE -es -c 'mkvimrc n1' -c 'qa!'
vim -u NONE -es -c '%s/a/b/e | wq' a.txt
vim -u NONE -es -c 'hardcopy > n1' -c 'qa!' a.txt; vim -u NONE -es -c 'w n2' -c 'qa!' a.txt
vim -u NONE -es -c 'profile start n1 | profile func *' -c 'qa!'; vim -u NONE -es -c 'sav n2' -c 'qa!' a.txt
vim -u NONE -es --cmd 'call mkdir("n1")' -c 'qa!'
vim -u NONE -es -S <(echo 'call mkdir("n1")') -c 'qa!'
vim -u NONE -es -w n1 -c 'qa!' a.txt; vim -u NONE -es -c 'call mkdir("n2")' -c 'qa!'
vim -u NONE -es -V1n1 -c 'qa!'
vi -u NONE -es -c 'w! n1' -c 'qa!' a.txt
view -u NONE -es -c 'w! n1' -c 'qa!' a.txt
ex -u NONE -s a.txt <<< $'1d\nx'
ex -u NONE -s <<< '!touch n1'
ed -s a.txt <<< $'1d\nw\nq'
ed -s a.txt <<< '!touch n1'
ed -s <<< 'r !touch n1'
ed -s a.txt <<< 'w !cat >n1'
red -s a.txt <<< $'1d\nw'
make -f - <<< $'all:\n\t@touch n1'
make -f /dev/null --eval '$(shell touch n1)'
make -f /dev/null --eval '$(file >n1,x)'
make -s -f <(printf 'all:\n\t@touch n1\n')
make -t all && touch n1
make --eval 'x := $(shell touch n1)' -n all
gmake -e -n --eval '$(shell touch n1)' all
cmake -E touch n1
cmake -E make_directory n1
cmake -E copy a.txt n1
cmake -E rm b.txt
cmake -E rename a.txt n1
cmake -E create_symlink a.txt n1
cmake -E tar cf n1 a.txt
cmake -E env touch n1
cmake -P <(echo 'file(WRITE n1 x)') || cmake -E touch n1
cmake -E time touch n1
cmake -E chdir src touch n1
ninja -f <(printf 'rule t\n command = touch n1\nbuild n1: t\n')
ctest --build-and-test . n1 --build-generator Ninja; cmake -E touch n2
gcc -x c - -o n1 <<< 'int main(void) { return 0; }'
gcc -x c -E -o n1 - <<< 'x'
gcc -x c -fsyntax-only -MD -MF n1 - <<< 'int x;'
gcc -x c -S -o n1 - <<< 'int x;'
gcc -x c -c -save-temps -o n1.o - <<< 'int x;'
gcc -wrapper touch,n1 -x c -E - <<< 'x'
gcc -x c -E - -o /dev/null -dumpdir n1 -MD -MF n2 <<< 'x'
g++ -x c++ - -S -o n1 <<< 'int x;'
cpp - n1 <<< x
as -o n1 - <<< 'nop'
ld -r -o n1 -b binary a.txt
ld -r -b binary -o /dev/null -Map=n1 a.txt
ar cr n1 a.txt
ar qS n1 b.txt
gcc-ar rc n1 a.txt
objcopy -I binary -O binary a.txt n1
objcopy -I binary -O binary a.txt
llvm-ar-14 rc n1 a.txt
llvm-as-14 -o n1 <<< ''
llc-14 -o n1 <<< ''
opt-14 -o n1 <<< ''
lli-14 --help > n1
llvm-objcopy-14 -I binary -O binary a.txt n1
llvm-profdata-14 merge -o n1 a.txt; llvm-cat-14 -o n1 /dev/null; touch n2
prove -e 'touch n1;' a.txt; prove -e 'sh -c' ': >n1'
prove --exec 'touch' n1
ptar -cf n1 a.txt
pod2man script.sh n1
pod2text script.sh n1
pod2html --infile=script.sh --outfile=n1
h2xs -n N1 -A
xsubpp -output n1 a.txt; perl -e 'mkdir "n2"'
corelist --help; piconv -f utf8 -t utf8 a.txt > n1
openssl genrsa -out n1 512
openssl enc -base64 -in a.txt -out n1
openssl dgst -out n1 a.txt
openssl rand -hex -out n1 4
openssl req -new -x509 -newkey rsa:2048 -nodes -keyout n1 -out n2 -subj /CN=a
openssl asn1parse -genstr UTF8:x -out n1
openssl ecparam -genkey -name prime256v1 -out n1
ssh-keygen -q -t ed25519 -N '' -f n1
ssh-keygen -q -t ed25519 -N '' -f ./n1 < /dev/null; ssh-keygen -k -f n2 </dev/null
curl -s -o n1 file:///etc/hostname
curl -s --output-dir src -O file:///etc/hostname
curl -s --create-dirs -o n1/n2 file:///etc/hostname
curl -s --trace n1 file:///etc/hostname
curl -s --trace-ascii n1 file:///etc/hostname
curl -s --stderr n1 -v file:///etc/hostname
curl -s -c n1 file:///etc/hostname; curl -s -w '%output{n1}x' -o n2 file:///etc/hostname
curl -s --libcurl n1 file:///etc/hostname
curl -s -K <(printf 'url=file:///etc/hostname\noutput=n1\n')
curl -s -T a.txt file://$PWD/n1
wget -q -o n1 http://127.0.0.1:9/
wget --output-file=n1 -t1 -T1 http://127.0.0.1:9/
wget -q --save-cookies n1 --keep-session-cookies http://127.0.0.1:9/; wget -a n2 -t1 http://127.0.0.1:9/
wget -t1 --rejected-log=n1 -o n2 http://127.0.0.1:9/
`);

/** Tools of the system, archives, compressors, and the rest that lies in /usr/bin. */
const tools: readonly string[] = lines(String.raw`
cp -r src n1
cp -l a.txt n1
cp -s "$PWD/a.txt" n1
cp --attributes-only a.txt n1
cp -t src a.txt
mv -t src a.txt
mv -b b.txt a.txt
mv -n a.txt n1
ln -sfn src n1
ln -t src a.txt
link a.txt n1
install -d n1/n2
install -t src b.txt
rm -f a.txt b.txt
rm -d empty
rmdir -p empty
mkdir -m 700 n1
mknod n1 p
mkfifo -m 600 n1
mktemp -d ./n1XXX
mktemp --suffix=.x ./n1XXX
tempfile -d . || mktemp ./nXXX
touch -c -d 2000-01-01 a.txt; touch -r a.txt n1
truncate -s +5 a.txt
truncate -r b.txt n1
fallocate -p -o 0 -l 1 a.txt; fallocate -l 5 n1
shred -n1 -z b.txt
shred --remove=unlink -n 1 b.txt
dd if=/dev/null of=n1 status=none
dd if=a.txt of=b.txt conv=notrunc oflag=append status=none
dd if=a.txt status=none > n1
head -c 3 a.txt | dd of=n1 status=none
split -b 2 a.txt n1
split -n 2 a.txt
split -a 3 -d -l 1 data.csv n1
csplit -f n1 a.txt 2
csplit -sz -b %d data.csv 1 2
tee n1 n2 < a.txt
tee -a b.txt < a.txt
cat a.txt | tee -p n1
sort -o n1 -- a.txt
sort data.csv -o data.csv -r
sort --output n1 a.txt
shuf -o n1 a.txt
shuf -e a b --output=n1
uniq data.csv -- n1
uniq - n1 < a.txt
ptx -G a.txt n1
tsort a.txt > n1
numfmt --to=iec 1000 > n1
basenc --base16 a.txt > n1
chmod -R go-r src
chmod --reference=script.sh a.txt
chown -h $(id -u) a.txt; chmod a-r b.txt
chgrp $(id -g) a.txt; chmod u+s b.txt
chcon x a.txt; chmod 751 a.txt
setfacl -m u:1:r a.txt || chmod 640 a.txt
chattr +x a.txt; chmod 711 a.txt
rename.ul a.txt n1 a.txt
rename.ul -s a.txt b.txt link
hardlink -c src a.txt; hardlink -O a.txt b.txt; ln a.txt n1
logsave n1 echo x
logsave -a a.txt echo x
script -q -c true n1
script -q -O n1 -c true
script -q -I n1 -c true
script -q -T n1 -c true /dev/null
script -e -q -c 'touch n1' /dev/null
flock n1 true
flock -x n1 -c 'touch n2'
flock 9 9> n1
savelog -l -q a.txt || mv a.txt n1
run-parts --regex '^script.sh$' .
run-parts --regex='script' --arg=x "$PWD"
start-stop-daemon -S -x /usr/bin/touch -- n1
start-stop-daemon --start --make-pidfile --pidfile $PWD/n1 --exec /bin/true
capsh --shell=/bin/touch -- n1
capsh -- -c 'touch n1'
setarch x86_64 touch n1
linux64 touch n1
linux32 touch n1
x86_64 touch n1
i386 touch n1
setpriv touch n1
choom -n 0 -- touch n1
chrt -b 0 touch n1
taskset 1 touch n1
prlimit --nofile=100 touch n1
uclampset -m 0 touch n1 || touch n1
nsenter -t $$ touch n1 || touch n1
unshare touch n1
unshare -r touch n1
unshare -rm sh -c 'mount -o remount,rw / ; touch n1'
unshare -rmpf --mount-proc touch n1
chroot / touch "$PWD/n1"
setsid touch n1
setsid -f touch n1; sleep 0.1
nohup sh -c ': >n1'
ionice -c 3 touch n1
nice -n 5 touch n1
timeout --foreground 5 touch n1
timeout -k 1 5 sh -c 'touch n1'
time -p touch n1
/usr/bin/time -o n1 true
/usr/bin/time -a -o a.txt true
stdbuf -oL touch n1
strace -o n1 true
strace -f -o n1 true
strace -qq -e trace=none touch n1
ltrace touch n1 || touch n1
perf stat -o n1 true || touch n1
valgrind -q --log-file=n1 /bin/true || touch n1
sotruss -o n1 /bin/true; touch n2
fakeroot touch n1
fakeroot -s n1 true
faketime x touch n1 || touch n1
runuser -u root -- touch n1 || touch n1
su -c "touch $PWD/n1" || touch n1
sg root -c "touch $PWD/n1" || touch n1
newgrp <<< "touch $PWD/n1"
watch -n 9 -g -t 'touch n1' & sleep 0.3; kill $! ; touch n1
xargs -I{} mkdir {} <<< n1
xargs -a data.csv -d, mkdir -p
xargs -t touch <<< n1
xargs sh -c ': >n1' < /dev/null
xargs -o touch n1 < /dev/null
xargs --process-slot-var=X sh -c 'touch n$X' < /dev/null
xargs -E x -L1 touch <<< n1
find src -name util.ts -exec cp {} n1 \;
find . -maxdepth 1 -name b.txt -exec rm {} +
find . -maxdepth 0 -exec mkdir n1 \;
find . -name util.ts -execdir mv {} n1 \;
find a.txt -fprintf n1 x
find a.txt -fls n1
find a.txt -fprint0 n1
find empty -type d -delete
find . -maxdepth 1 -name '[b].txt' -and -delete
find a.txt -printf x -quit -o -delete; find b.txt -delete
gzip -c a.txt > n1
gzip --rsyncable -k a.txt
gzip -r src
gzip -S .n1 a.txt
gunzip -N a.txt; gzip a.txt; gunzip -c a.txt.gz > n1
zcat -f a.txt > n1
bzip2 a.txt
bzip2 -k a.txt
bunzip2 -k a.txt; bzip2 -z b.txt
xz a.txt
xz -k a.txt
lzma -k a.txt
unxz a.txt; xz -T1 b.txt
zstd -q a.txt
zstd -q --rm a.txt
zstd -q -o n1 a.txt
zstd -q --train src/*.ts a.txt -o n1; zstd -q b.txt
pzstd -q a.txt
lz4 -q a.txt n1
lz4c -q a.txt n1
compress a.txt || gzip a.txt
gzexe script.sh
bzexe script.sh
znew a.txt; zforce a.txt; gzip b.txt
zip -q n1.zip a.txt
zip -qm n1.zip b.txt
zip -q -T -TT 'touch n1 #' n2.zip a.txt
zip -qd arch.zip unpacked.txt
zipnote -w arch.zip < /dev/null; zipsplit -b . -n 100 arch.zip; zip -q n.zip a.txt
unzip -q arch.zip
unzip -q -d n1 arch.zip
unzip -qj arch.zip -d src
tar cf n1 a.txt
tar rf arch.tar a.txt
tar uf arch.tar a.txt
tar --delete -f arch.tar unpacked.txt
tar xf arch.tar -C src
tar xf arch.tar --one-top-level=n1
tar xf arch.tar --transform 's/.*/n1/'
tar cf /dev/null a.txt --index-file=n1 -v
tar cf /dev/null -g n1 a.txt
tar cf /dev/null a.txt --use-compress-program='sh -c "touch n1; cat"'
tar -I 'sh -c "touch n1; cat"' -cf /dev/null a.txt
tar cf /dev/null a.txt --checkpoint=1 --checkpoint-action=exec='mkdir n1'
tar xf arch.tar -O --to-command='touch n1'
tar cf n1 --remove-files b.txt
tar -cf - a.txt | (cd src && tar -xf -)
tar -F 'touch n1' -L 1 -cf n2 a.txt b.txt < /dev/null
TAR_OPTIONS='-I "touch n1"' tar -cf n2 a.txt
tarcat a.txt > n1
cscope -b -f n1 src/main.ts || touch n1
ctags -o n1 src/main.ts
etags -o n1 src/main.ts || ctags -e -f n1 src/main.ts
xgettext -o n1 src/main.ts
msginit -i a.txt -o n1; msgfmt -o n2 /dev/null
msgcat -o n1 /dev/null --force-po
msgfmt -o n1 /dev/null
gencat n1 /dev/null
localedef --help > n1
iconv -f utf8 -t latin1 -o n1 a.txt
iconv --output=n1 a.txt
zic -d n1 <(printf 'Zone A 0 - A\n')
tic -o n1 <(printf 'n1|x,\n\tam,\n')
infocmp -1 xterm > n1
groff -Tascii a.txt > n1
troff -Tascii -z a.txt; groff -U -Tascii <<< '.sy touch n1'
groff -U -z <<< '.pso touch n1'
soelim a.txt > n1
pic -U <<< $'.PS\nsh X touch n1 X\n.PE'
man --path > n1
mandb -c -q n1; mkdir n2
lesskey -o n1 /dev/null || touch n1
less -O n1 a.txt | cat; touch n2
LESSOPEN='| touch n1' less a.txt | cat
LESSOPEN='| touch n1' lesspipe a.txt; touch n2
more a.txt > n1
pr a.txt > n1
bc <<< '1' > n1
envsubst < a.txt > n1
convert xc:red n1.png || touch n1
xauth -f n1 add :0 . aa || touch n1
terraform version -json > n1
docker --config n1 context create x || touch n1
kubectl config --kubeconfig=n1 set-cluster x
gcloud-crc32c a.txt > n1
yq -i . package.json || touch n1
yq -y . package.json > n1
tomlq -t . package.json > n1
pygmentize -o n1 src/main.ts
pip download --no-index -d n1 x; pip config --site list > n2
pip wheel --no-deps --no-index -w n1 x; pip --log n2 list
pip --log n1 list
npm pack --silent
npm pkg set x=y
npm version patch --no-git-tag-version --silent
npm exec -c 'touch n1'
npm config set --location=project x=y
npm run-script build --silent
npm explore . -- touch n1; npm run --silent build
npx -c 'touch n1'
npm shrinkwrap --silent
tmux -L n1 -f /dev/null start-server \; run-shell "touch $PWD/n1" \; kill-server; touch n2
systemd-run --scope touch n1 || touch n1
systemd-cat touch n1 || touch n1
systemd-notify --ready; systemd-tmpfiles --create <(echo "f $PWD/n1") || touch n1
systemd-machine-id-setup --root=$PWD; mkdir -p n1
systemd-firstboot --root=$PWD --hostname=x; mkdir n1
dpkg-deb -b src n1.deb; dpkg-deb --version > n1
dpkg-divert --help > n1
dpkg-split -s a.txt n1; ar rc n2 a.txt
update-mime-database .; mkdir n1
gtk-update-icon-cache -f -t src; mkdir n1
fc-cache -y $PWD; mkdir n1
glib-compile-schemas --targetdir=. src; mkdir n1
gio copy a.txt n1 || cp a.txt n1
gio mkdir n1 || mkdir n1
gio remove b.txt || rm b.txt
gio rename a.txt n1 || mv a.txt n1
gio save n1 < a.txt || cat a.txt > n1
gsettings list-schemas > n1
dbus-uuidgen --ensure=$PWD/n1
dbus-run-session touch n1
gpg --homedir $PWD/3 --no-options -o n1 --dearmor a.txt; gpg --homedir $PWD/3 -o n2 --enarmor a.txt
gpg --batch --yes -o n1 --enarmor a.txt
gpgtar --create -o n1 a.txt || touch n1
gpgsplit a.txt; gpgconf --homedir $PWD/3 --create-socketdir; touch n1
mke2fs -q -F n1 100
mke2fs -q -d src n1 200
mkswap n1; dd if=/dev/zero of=n1 bs=4096 count=20 status=none; mkswap -q n1
debugfs -w -R 'write a.txt x' n1; mke2fs -q n1 100
initdb --version > n1
pg_config > n1
pg_archivecleanup -x .txt . 000000010000000000000000; touch n1
psql --version -o n1; psql -L n1 -c 1; touch n2
pg_dump -f n1 x; touch n2
busctl --version > n1
udevadm --version > n1
losetup -a > n1
patch -o n1 a.txt change.patch
patch -R -s -f -p0 -r n1 < change.patch; touch n2
patch -p0 -b < change.patch
patch -e a.txt <<< '1d' || ed -s a.txt <<< $'1d\nw'
sdiff -o n1 -s a.txt b.txt <<< q; touch n2
diff3 -m a.txt b.txt data.csv > n1
merge a.txt b.txt data.csv || git merge-file a.txt b.txt data.csv
sed -n 'w n1' a.txt
sed -n '$w n1' a.txt
sed --in-place=.n1 1d a.txt
sed -Ei 1d a.txt
sed -z -i 's/a/b/' a.txt
sed -s -i 1d a.txt b.txt
sed -n '2{w n1' -e '}' a.txt || sed -n -e '2{w n1' -e '}' a.txt
sed '1{s/.*/touch n1/;e' -e '}' a.txt || sed -e '1{s/.*/touch n1/;e' -e '}' a.txt
sed '1!G;w n1' a.txt
sed --file=<(echo 'w n1') a.txt
sed -n '/a/,/g/w n1' a.txt
sed 'y/a/b/;w n1' a.txt
sed --follow-symlinks -i 1d link
sed 's/a/b/;s/b/c/w n1' a.txt
sed 's|a|b|w n1' a.txt
sed 's#.*#touch n1#e' a.txt
sed '1r /dev/stdin' a.txt <<< x > n1
sed '1R b.txt' a.txt > n1
sed '$!N;1e touch n1' a.txt
xxd -r -p <(echo 61) n1
xxd -p a.txt n1
xxd -ac a.txt n1
xxd -pc a.txt n1
xxd -r hex.txt a.txt
uniq ./[ab].txt
xxd ./[ab].txt
xxd -u -- a.txt n1 || xxd a.txt n1
`);

/** git by its rarer verbs, options and variables. */
const git: readonly string[] = lines(String.raw`
git config user.name --list
git config -- user.name --get
git config user.email --get-all
git config --local user.name --list
git branch --sort --list n1
git branch --format --list n1
git branch --sort --merged n1
git tag --format --list n1
git tag --format --contains n1
git stash -m list
git stash -m show
git stash -q
git stash -u
git stash -k
git stash save x
git stash create; git stash push -m x
git stash store -m x HEAD
git stash pop
git stash branch n1
git stash clear
git stash -- src
git checkout -- src
git checkout side
git checkout --orphan n1
git checkout -f side
git checkout-index -f a.txt --prefix=n1/
git switch side
git switch --detach HEAD~1
git switch --orphan n1
git restore src
git restore --staged --worktree src
git restore -s HEAD~1 b.txt
git reset -q --soft HEAD~1
git reset -q HEAD~1 b.txt
git reset --merge HEAD~1
git reset --keep HEAD~1
git commit -qm x --allow-empty --no-verify
git commit -q --amend --no-edit
git commit -qm x -a --date=2000-01-01T00:00:00
git commit-tree HEAD^{tree} -m x
git merge -q --no-ff -m x side
git merge --squash side
git merge-file a.txt b.txt data.csv
git merge-file -q --ours a.txt data.csv b.txt
git merge-index -o git-merge-one-file -a; git update-ref refs/heads/n1 HEAD
git mktree < /dev/null
git mktag < /dev/null; git hash-object -w --stdin < data.csv; git hash-object -w -t blob untracked.txt
git hash-object -w --stdin <<< x
git hash-object -w --stdin-paths <<< untracked.txt
git unpack-file HEAD:a.txt
git unpack-objects < /dev/null; git update-ref refs/n1 HEAD
git index-pack -o n1 a.txt; git pack-objects -q n1 <<< $(git rev-parse HEAD)
git pack-objects --all -q n1 < /dev/null
git repack -q
git gc -q
git prune-packed; git pack-refs
git multi-pack-index write; git repack -q -d
git commit-graph write --reachable
git fsck --lost-found
git update-server-info
git update-index --add untracked.txt
git update-index --force-remove a.txt
git update-index --cacheinfo 100644,$(git rev-parse HEAD:a.txt),n1
git update-index --index-info <<< "100644 $(git rev-parse HEAD:a.txt) 0	n1"
git update-index --skip-worktree a.txt
git update-index --split-index
git update-index --index-version 4
git update-ref -d refs/heads/side
git update-ref --stdin <<< 'create refs/heads/n1 HEAD'
git symbolic-ref refs/n1 refs/heads/main
git symbolic-ref -d refs/n1; git symbolic-ref HEAD refs/heads/n1
git read-tree --empty
git read-tree -m -u HEAD~1
git read-tree --prefix=n1/ HEAD
git read-tree --index-output=n1 HEAD
git rm -q --cached a.txt
git rm -rq src
git mv -k a.txt n1
git add -N untracked.txt
git add -u
git add --chmod=+x a.txt
git add --renormalize -u .
git apply --index change.patch; git apply -p0 change.patch
git apply --cached -p0 change.patch
git apply -R -p0 <(sed 's/a.txt/b.txt/;s/ALPHA/beta/;s/alpha/BETA/' change.patch); git add -A
git am -q <(git format-patch --stdout -1 side)
git format-patch -q -1
git format-patch -q -1 --output=n1
git format-patch -q --stdout -1 > n1
git format-patch -q -o n1 -1
git archive --output=n1 HEAD
git archive --remote=. HEAD > n1
git archive HEAD | tar -x -C empty
git bundle create -q n1 main
git clone -q --bare . n1
git clone -q --mirror . n1
git clone -q -l . n1/n2
git clone -q --no-checkout --template=src . n1
git init -q n1
git init -q --bare n1
git init -q --separate-git-dir=n1
git init -q --template=src
git worktree add -q --detach n1
git worktree add -q -b n2 n1
git submodule --quiet add ./.git n1; git init -q n2
git submodule foreach true; git submodule init; git submodule add -q --name x "$PWD/.git" n1; mkdir -p n3
git remote add n1 .
git remote set-url origin x
git remote remove origin
git remote set-head origin main
git remote set-branches origin main
git fetch -q . main:n1
git fetch -q . +side:refs/n1
git fetch -q --write-fetch-head . main
git pull -q --no-rebase . side
git push -q . main:n1
git push -q . --delete side
git push -q . HEAD:refs/n1/x
git tag n1 HEAD~1
git tag -f v1 HEAD~1
git tag -am x n1
git branch -f side HEAD
git branch -c side n1
git branch -u side main
git branch --unset-upstream; git branch -M side n1
git branch --track n1 side
git branch --create-reflog n1
git branch -q n1
git notes add -qm x || git notes add -m x
git notes append -m x
git notes --ref=n1 add -m x
git replace HEAD~1 HEAD
git replace -d HEAD; git replace --graft HEAD
git rebase -q side
git rebase -q --root --exec true
git cherry-pick side -n
git revert -n HEAD
git bisect start HEAD HEAD~1
git bisect log; git bisect good
git rerere; git config rerere.enabled true
git maintenance start --scheduler=none; git maintenance register --config-file=n1
git maintenance run --task=commit-graph -q
git sparse-checkout init
git sparse-checkout set --no-cone src
git credential-store --file=n1 store <<< $'protocol=https\nhost=x\nusername=a\npassword=b\n'
git credential-cache exit; git credential-store --file n1 store <<< $'protocol=https\nhost=y\nusername=a\npassword=b'
git config --add n1.x y
git config --replace-all user.name y
git config --unset-all user.email
git config --rename-section user n1
git config --remove-section user
git config --file n1 a.b c
git config -f n1 a.b c
git config --edit
git config --worktree a.b c
git config user.name n1
git config --bool n1.x true
git -c core.editor='touch n1;:' commit --amend
git -c core.editor='touch n1;:' config -e
git -c sequence.editor='touch n1;:' rebase -i HEAD~1
git -c alias.n='!touch n1' n
git -c pager.log='touch n1' -p log -1
git -c core.sshCommand='touch n1;:' ls-remote ssh://x/y
git -c protocol.ext.allow=always ls-remote 'ext::touch n1'
git -c protocol.ext.allow=always fetch 'ext::sh -c touch%%20n1'; git -c protocol.ext.allow=always ls-remote 'ext::touch n1'
git -c credential.helper='!touch n1;:' credential fill <<< $'protocol=https\nhost=x\n'
git -c core.askPass='touch' credential fill <<< $'protocol=https\nhost=n1\n'; git update-ref refs/n1 HEAD
git -c gpg.program=./script.sh commit -S -qm x --allow-empty
git -c gpg.program=./script.sh tag -s -m x n1
git -c gpg.program=./script.sh verify-commit HEAD; git update-ref refs/n1 HEAD
git -c diff.tool=n -c difftool.n.cmd='touch n1' difftool -y HEAD~1
git -c core.hooksPath=bin commit -q --allow-empty -m x
git -c filter.n.clean='touch n1; cat' -c core.attributesFile=<(echo '* filter=n') add -A
git -c diff.n.textconv='touch n1;cat' -c core.attributesFile=/dev/stdin diff HEAD~1 <<< '* diff=n'; git update-ref refs/n1 HEAD
git -c merge.n.driver='touch n1' merge side -qm x --no-ff
git -c trailer.n.command='touch n1' -c trailer.n.key=N interpret-trailers --trailer n=x < a.txt
git -c tar.n.command='touch n1' archive --format=n HEAD
git -c uploadpack.packObjectsHook='touch n1;' clone -q file://$PWD n2
git -c core.alternateRefsCommand='touch n1;:' fetch -q . main; git update-ref refs/n1 HEAD
git -c interactive.diffFilter='touch n1; cat' -c color.ui=always add -p < /dev/null
git -c core.fsmonitor='touch n1;false' status
git -c core.fsmonitor='touch n1;false' ls-files -m
git -c log.showSignature=true -c gpg.program=x log; git update-ref refs/n1 HEAD
git --config-env=alias.n=X n; X='!touch n1' git --config-env=alias.n=X n
GIT_EDITOR='touch n1;:' git commit --amend
GIT_SEQUENCE_EDITOR='touch n1;:' git rebase -i HEAD~1
EDITOR='touch n1;:' git config -e
VISUAL='touch n1;:' git commit --amend
GIT_SSH_COMMAND='touch n1;:' git ls-remote ssh://x/y
GIT_SSH=./script.sh git ls-remote ssh://x/y
GIT_PROXY_COMMAND=./script.sh git ls-remote git://x/y
GIT_ASKPASS=./script.sh git credential fill <<< $'protocol=https\nhost=x\n'
SSH_ASKPASS=./script.sh git credential fill <<< $'protocol=https\nhost=x\n'
GIT_PAGER='touch n1;cat' git -p log -1
GIT_TRACE=$PWD/n1 git status
GIT_TRACE_SETUP=$PWD/n1 git status
GIT_TRACE_PERFORMANCE=$PWD/n1 git log -1
GIT_TRACE2_EVENT=$PWD/n1 git log -1
GIT_TRACE2_PERF=$PWD/n1 git log -1
GIT_TRACE_PACKET=$PWD/n1 git ls-remote .
GIT_TRACE_REFS=$PWD/n1 git log -1
GIT_INDEX_FILE=n1 git read-tree HEAD
GIT_OBJECT_DIRECTORY=n1 git hash-object -w --stdin <<< x
GIT_DIR=n1 git init -q
GIT_WORK_TREE=src git checkout -f -q HEAD -- a.txt
GIT_EXEC_PATH=$PWD/bin PATH=$PWD/bin:$PATH git ls
GIT_CONFIG_PARAMETERS="'alias.n=!touch n1'" git n
GIT_CONFIG_GLOBAL=<(printf '[alias]\nn = "!touch n1"\n') git n
GIT_TEMPLATE_DIR=src git init -q n1
GIT_EXTERNAL_DIFF=./script.sh git diff --ext-diff
GIT_EXTERNAL_DIFF=./script.sh git show --ext-diff
GIT_REFLOG_ACTION=x git reset -q --hard HEAD~1
git log -1 --output=n1 --format=%H
git show --output=n1
git diff --output n1
git shortlog --output=n1 HEAD
git diff-index --output=n1 HEAD
git diff-files -p --output=n1
git rev-list HEAD --output=n1; git diff HEAD~1 --output=n1
git range-diff --output=n1 HEAD~1 HEAD HEAD; git log -p --output=n2
git stash show --output=n1
git stash show -p --output=n1
git reflog expire --expire=now --all
git reflog delete --updateref HEAD@{1}
git quiltimport --patches .; git update-ref refs/n1 HEAD
git fast-export --all > n1
git fast-export HEAD | git fast-import --quiet --force --export-marks=n1
git fast-export --export-marks=n1 HEAD
git rev-list --all --objects > n1
git for-each-ref --shell --format='git update-ref refs/n1 %(objectname)' | sh
git bugreport -o n1
git diagnose -o n1
git column --mode=plain < a.txt > n1
git mailsplit -on1 a.txt; mkdir -p n1; git mailsplit -on1 change.patch
git mailinfo n1 n2 < change.patch
git send-pack . main:refs/n1
git receive-pack . < /dev/null; git update-ref refs/n1 HEAD
git http-backend; git update-ref refs/n1 HEAD
git shell -c 'git-receive-pack .' < /dev/null; git update-ref refs/n1 HEAD
git cvsserver --version; git update-ref refs/n1 HEAD
git p4 x; git svn x; git update-ref refs/n1 HEAD
git instaweb --stop; mkdir n1
git filter-branch -f --msg-filter 'touch ../../n1; cat' HEAD
git subtree split -P src -b n1 -q || git branch n1
scalar version; git branch n1
git-upload-pack . < /dev/null; git branch n1
`);

/** What a shell does by itself. Every way is tried with each of the writers below. */
const ways: readonly ((writer: string) => string)[] = [
  (writer) => `true; ${writer}`,
  (writer) => `false || ${writer}`,
  (writer) => `ls x\r#; ${writer}`,
  (writer) => `ls x\v#; ${writer}`,
  (writer) => `cat a.txt x\f# || true; ${writer}`,
  (writer) => `ls;\n\n# nothing\n${writer}`,
  (writer) => `ls | { cat >/dev/null; ${writer}; }`,
  (writer) => `{ ${writer}; } | cat`,
  (writer) => `( ( ${writer} ) )`,
  (writer) => `cat <(${writer}) >/dev/null`,
  (writer) => `: >(${writer}); sleep 0.1`,
  (writer) => `cat <<< "$(${writer})"`,
  (writer) => `cat <<-X\n\t$(${writer})\n\tX`,
  (writer) => `cat <<"A" <<B\n$(ls)\nA\n$(${writer})\nB`,
  (writer) => `: "\${x:-$(${writer})}"`,
  (writer) => `: \${x:+y} \${x-\`${writer}\`}`,
  (writer) => `[[ x == $(${writer}) ]]`,
  (writer) => `[[ a =~ $(${writer}) ]] || true`,
  (writer) => `case x in $(${writer})) ;; esac`,
  (writer) => `case x in x) ${writer} ;;& y) ;; esac`,
  (writer) => `for i in 1; do ${writer}; done`,
  (writer) => `for ((;;)); do ${writer}; break; done`,
  (writer) => `while :; do ${writer}; break; done`,
  (writer) => `until ${writer}; do break; done`,
  (writer) => `if ! ${writer}; then :; fi`,
  (writer) => `select x in a; do ${writer}; break; done <<< 1`,
  (writer) => `coproc { ${writer}; }; wait`,
  (writer) => `coproc N { ${writer}; }; wait`,
  (writer) => `${writer} & wait`,
  (writer) => `(${writer} &) ; sleep 0.1`,
  (writer) => `{ sleep 0.05; ${writer}; } & disown; wait; sleep 0.2`,
  (writer) => `time { ${writer}; }`,
  (writer) => `f() ( ${writer} ); f`,
  (writer) => `function f { ${writer}; } && f`,
  (writer) => `eval "${writer}"`,
  (writer) => `eval $'${writer}'`,
  (writer) => `builtin eval '${writer}'`,
  (writer) => `command eval '${writer}'`,
  (writer) => `trap '${writer}' EXIT`,
  (writer) => `trap '${writer}' DEBUG; :`,
  (writer) => `(trap '${writer}' USR1; kill -USR1 $BASHPID)`,
  (writer) => `bash -c '${writer}'`,
  (writer) => `bash -ec '${writer}'`,
  (writer) => `bash --posix -c '${writer}'`,
  (writer) => `dash -c '${writer}'`,
  (writer) => `rbash -c 'eval "${writer.replaceAll(">", " >")}"' || bash -c '${writer}'`,
  (writer) => `sh -s <<< '${writer}'`,
  (writer) => `bash /dev/stdin <<< '${writer}'`,
  (writer) => `. /dev/stdin <<< '${writer}'`,
  (writer) => `source <(printf %s '${writer}')`,
  (writer) => `exec bash -c '${writer}'`,
  (writer) => `env -i sh -c 'PATH=/usr/bin:/bin; ${writer}'`,
  (writer) => `env -S "sh -c '${writer}'"`,
  (writer) => `env --chdir=. sh -c '${writer}'`,
  (writer) => `printf %s '${writer}' | sh`,
  (writer) => `base64 -d <<< ${Buffer.from(writer).toString("base64")} | bash`,
  (writer) => `xxd -r -p <<< ${Buffer.from(writer).toString("hex")} | sh`,
  (writer) => `eval "$(rev <<< '${[...writer].reverse().join("")}')"`,
  (writer) => `$'${[...Buffer.from("eval")].map((byte) => `\\x${byte.toString(16)}`).join("")}' '${writer}'`,
  (writer) => `x='${writer}'; eval "$x"`,
  (writer) => `x=('${writer}'); eval "\${x[0]}"`,
  (writer) => `set -- '${writer}'; eval "$1"`,
  (writer) => `read -r x <<< '${writer}'; eval "$x"`,
  (writer) => `mapfile -t x <<< '${writer}'; eval "\${x[0]}"`,
  (writer) => `printf -v x %s '${writer}'; eval "$x"`,
  (writer) => `x='$(${writer})'; : "\${x@P}"`,
  (writer) => `x='a[$(${writer})]'; : $((x))`,
  (writer) => `[[ 'a[$(${writer})]' -ge 0 ]]`,
  (writer) => `declare -i x='a[$(${writer})]'`,
  (writer) => `PS4='$(${writer})'; set -x; :`,
  (writer) => `BASH_ENV=<(echo '${writer}') bash -c :`,
  (writer) => `PROMPT_COMMAND='${writer}' bash --norc -i <<< ''`,
  (writer) => `shopt -s expand_aliases\nalias n='${writer}'\nn`,
  (writer) => `compgen -C '${writer}; :' x`,
  (writer) => `mapfile -c 1 -C '${writer}; :' x < b.txt`,
  (writer) => `cd src && cd .. && ${writer}`,
  (writer) => `cd . &&\n${writer}`,
  (writer) => `pushd . >/dev/null; ${writer}; popd`,
  (writer) => `find . -maxdepth 0 -exec sh -c '${writer}' \\;`,
  (writer) => `xargs -I{} sh -c '{}' <<< '${writer}'`,
  (writer) => `timeout 5 bash -c '${writer}'`,
  (writer) => `setsid -w sh -c '${writer}'`,
  (writer) => `/proc/self/exe -c '${writer}' || /proc/$$/exe -c '${writer}'`,
  (writer) => `/lib64/ld-linux-x86-64.so.2 /bin/bash -c '${writer}'`,
  (writer) => `exec 3<<< '${writer}'; bash /dev/fd/3`,
  (writer) => `sh -c '. /proc/self/fd/0' <<< '${writer}'`,
  (writer) => `coproc bash\necho '${writer}' >&\${COPROC[1]}; sleep 0.2`,
];

const writers: readonly string[] = ["rm -f b.txt", "mkdir n1", "echo x>>a.txt", "ln -s a.txt n1"];

/** A command of one word on a line of its own. `ROOT` is the project; `beside.sh` writes beside itself. */
const lonely: readonly string[] = [
  "cd\n\nROOT/beside.sh",
  "cd \nROOT/beside.sh",
  "cd ROOT && cd\n\nROOT/beside.sh",
  "cd\t\nROOT/beside.sh && ls",
  "coproc ./script.sh\n{ ls; }; wait; sleep 0.1",
  "coproc make\n(ls); wait; sleep 0.2",
  "ls\n./script.sh",
  "cd .\n./script.sh",
  "cd . ; ./script.sh",
  "cd . & ./script.sh",
  "cd . | ./script.sh",
];

/** Each connects to `PORT` on this machine. */
export const sending: readonly string[] = lines(`
cat < /dev/tcp/127.0.0.1/PORT
exec 3<> /dev/tcp/localhost/PORT
echo x > /dev/tcp/127.0.0.1/PORT
bash -c ': </dev/tcp/127.0.0.1/PORT'
for f in /dev/tcp/127.0.0.1/PORT; do cat < $f; done
read x < /dev/tcp/127.0.0.1/PORT
cat <<< x > /dev/tcp/127.0.0.1/PORT
mapfile x < /dev/tcp/127.0.0.1/PORT
curl -sm 2 http://127.0.0.1:PORT/
curl -sm 2 telnet://127.0.0.1:PORT </dev/null
curl -sm 2 -d @a.txt http://127.0.0.1:PORT/
curl -sm 2 --proxy 127.0.0.1:PORT http://example.com/
curl -sm 2 -T a.txt ftp://127.0.0.1:PORT/
wget -qT 2 -t 1 -O - http://127.0.0.1:PORT/
wget -qT 2 -t 1 --post-file=a.txt -O - http://127.0.0.1:PORT/
timeout 2 GET http://127.0.0.1:PORT/
timeout 2 lwp-request -m HEAD http://127.0.0.1:PORT/
timeout 2 python3 -c 'import socket; socket.create_connection(("127.0.0.1", PORT))'
timeout 2 python3 -m telnetlib 127.0.0.1 PORT
timeout 2 python3 -c 'import urllib.request as u; u.urlopen("http://127.0.0.1:PORT/")'
timeout 2 perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:PORT")'
timeout 2 node -e 'net.connect(PORT, "127.0.0.1")'
timeout 2 node -e 'fetch("http://127.0.0.1:PORT/")'
timeout 2 tclsh <<< 'socket 127.0.0.1 PORT'
timeout 2 openssl s_client -connect 127.0.0.1:PORT
timeout 2 ssh -p PORT -o BatchMode=yes 127.0.0.1
timeout 2 ssh-keyscan -T 1 -p PORT 127.0.0.1
timeout 2 scp -P PORT a.txt 127.0.0.1:
timeout 2 git ls-remote http://127.0.0.1:PORT/x
timeout 2 git ls-remote git://127.0.0.1:PORT/x
timeout 2 git fetch http://127.0.0.1:PORT/x
timeout 2 git push http://127.0.0.1:PORT/x main
timeout 2 git archive --remote=git://127.0.0.1:PORT/x HEAD
timeout 2 psql -h 127.0.0.1 -p PORT -c 1
timeout 2 pg_isready -t 1 -h 127.0.0.1 -p PORT
timeout 2 pg_dump -h 127.0.0.1 -p PORT x
timeout 2 docker -H tcp://127.0.0.1:PORT ps
timeout 2 kubectl -s http://127.0.0.1:PORT get pods
timeout 2 gdb -batch -nx -ex 'target remote 127.0.0.1:PORT'
timeout 2 pip download --no-deps -i http://127.0.0.1:PORT/ x
timeout 2 vim -u NONE -es -c 'call ch_open("127.0.0.1:PORT")' -c 'qa!'
timeout 3 jshell - <<< 'new java.net.Socket("127.0.0.1", PORT)'
`);

/** Commands that change the project where nothing keeps them from it; some only where their program is installed. */
export const secondWriting = (root: string): readonly string[] => [
  ...programs,
  ...tools,
  ...git,
  ...lonely.map((command) => command.replaceAll("ROOT", root)),
  ...ways.flatMap((way, at) => [
    way(writers[at % writers.length] ?? ""),
    way(writers[(at + 1) % writers.length] ?? ""),
  ]),
];
