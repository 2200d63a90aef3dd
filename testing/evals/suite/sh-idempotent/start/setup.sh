#!/bin/bash
set -e
cd "$1"
echo 'export EDITOR=vi' >> .profile
echo 'export PATH="$HOME/bin:$PATH"' >> .profile
mkdir bin
ln -s /opt/tool/tool bin/tool
