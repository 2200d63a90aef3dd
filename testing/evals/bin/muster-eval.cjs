#!/usr/bin/env node
require("../dist/bundle/muster-eval.cjs");
