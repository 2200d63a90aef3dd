#!/usr/bin/env node
require("../dist/bundle/scripted-llm.cjs");
