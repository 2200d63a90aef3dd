# made by npm run generate
