#!/usr/bin/env node
require("../dist/bundle/codebuff-server.cjs");
