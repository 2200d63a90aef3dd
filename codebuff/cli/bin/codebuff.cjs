#!/usr/bin/env node
require("../dist/bundle/codebuff.cjs");
