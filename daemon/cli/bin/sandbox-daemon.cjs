#!/usr/bin/env node
require("../dist/bundle/sandbox-daemon.cjs");
