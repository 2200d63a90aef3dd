# made by npm run generate
VERSION = "0.1.0"
