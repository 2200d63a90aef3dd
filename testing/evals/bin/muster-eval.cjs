#!/usr/bin/env node
void import("../dist/main.js");
