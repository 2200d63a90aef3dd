export interface Language {
  readonly name: string;
  readonly grammar: string;
  /** Captures `@def` for names a file gives to the others and `@use` for names it calls. */
  readonly query: string;
}

const ecmaDefinitions = `
(function_declaration name: (identifier) @def)
(generator_function_declaration name: (identifier) @def)
(method_definition name: (property_identifier) @def)
(program (lexical_declaration (variable_declarator name: (identifier) @def)))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @def))))
(call_expression function: (identifier) @use)
(call_expression function: (member_expression property: (property_identifier) @use))
(new_expression constructor: (identifier) @use)`;

const typescriptQuery = `${ecmaDefinitions}
(class_declaration name: (type_identifier) @def)
(abstract_class_declaration name: (type_identifier) @def)
(interface_declaration name: (type_identifier) @def)
(type_alias_declaration name: (type_identifier) @def)
(enum_declaration name: (identifier) @def)
(program (ambient_declaration (_ name: (identifier) @def)))
(type_annotation (type_identifier) @use)
(class_heritage (_ (identifier) @use))`;

const tsxUses = `
(jsx_opening_element name: (identifier) @use)
(jsx_self_closing_element name: (identifier) @use)`;

const typescript: Language = { name: "typescript", grammar: "tree-sitter-typescript.wasm", query: typescriptQuery };
const tsx: Language = { name: "tsx", grammar: "tree-sitter-tsx.wasm", query: typescriptQuery + tsxUses };
const javascript: Language = {
  name: "javascript",
  grammar: "tree-sitter-javascript.wasm",
  query: `${ecmaDefinitions}
(class_declaration name: (identifier) @def)
(class_heritage (identifier) @use)${tsxUses}`,
};
const python: Language = {
  name: "python",
  grammar: "tree-sitter-python.wasm",
  query: `
(function_definition name: (identifier) @def)
(class_definition name: (identifier) @def)
(module (expression_statement (assignment left: (identifier) @def)))
(call function: (identifier) @use)
(call function: (attribute attribute: (identifier) @use))
(class_definition superclasses: (argument_list (identifier) @use))`,
};
const go: Language = {
  name: "go",
  grammar: "tree-sitter-go.wasm",
  query: `
(function_declaration name: (identifier) @def)
(method_declaration name: (field_identifier) @def)
(type_spec name: (type_identifier) @def)
(source_file (const_declaration (const_spec name: (identifier) @def)))
(source_file (var_declaration (var_spec name: (identifier) @def)))
(call_expression function: (identifier) @use)
(call_expression function: (selector_expression field: (field_identifier) @use))
(composite_literal type: (type_identifier) @use)`,
};
const rust: Language = {
  name: "rust",
  grammar: "tree-sitter-rust.wasm",
  query: `
(function_item name: (identifier) @def)
(struct_item name: (type_identifier) @def)
(enum_item name: (type_identifier) @def)
(trait_item name: (type_identifier) @def)
(type_item name: (type_identifier) @def)
(const_item name: (identifier) @def)
(static_item name: (identifier) @def)
(macro_definition name: (identifier) @def)
(call_expression function: (identifier) @use)
(call_expression function: (field_expression field: (field_identifier) @use))
(call_expression function: (scoped_identifier name: (identifier) @use))
(macro_invocation macro: (identifier) @use)
(struct_expression name: (type_identifier) @use)`,
};
const java: Language = {
  name: "java",
  grammar: "tree-sitter-java.wasm",
  query: `
(class_declaration name: (identifier) @def)
(interface_declaration name: (identifier) @def)
(enum_declaration name: (identifier) @def)
(record_declaration name: (identifier) @def)
(method_declaration name: (identifier) @def)
(method_invocation name: (identifier) @use)
(object_creation_expression type: (type_identifier) @use)`,
};
const csharp: Language = {
  name: "c-sharp",
  grammar: "tree-sitter-c-sharp.wasm",
  query: `
(class_declaration name: (identifier) @def)
(interface_declaration name: (identifier) @def)
(struct_declaration name: (identifier) @def)
(enum_declaration name: (identifier) @def)
(record_declaration name: (identifier) @def)
(method_declaration name: (identifier) @def)
(invocation_expression function: (identifier) @use)
(invocation_expression function: (member_access_expression name: (identifier) @use))
(object_creation_expression type: (identifier) @use)`,
};
const cpp: Language = {
  name: "cpp",
  grammar: "tree-sitter-cpp.wasm",
  query: `
(function_definition declarator: (function_declarator declarator: (identifier) @def))
(function_definition declarator: (function_declarator declarator: (field_identifier) @def))
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @def)))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @def)))
(class_specifier name: (type_identifier) @def body: (_))
(struct_specifier name: (type_identifier) @def body: (_))
(enum_specifier name: (type_identifier) @def body: (_))
(type_definition declarator: (type_identifier) @def)
(preproc_def name: (identifier) @def)
(preproc_function_def name: (identifier) @def)
(call_expression function: (identifier) @use)
(call_expression function: (field_expression field: (field_identifier) @use))
(call_expression function: (qualified_identifier name: (identifier) @use))`,
};
const ruby: Language = {
  name: "ruby",
  grammar: "tree-sitter-ruby.wasm",
  query: `
(method name: (identifier) @def)
(singleton_method name: (identifier) @def)
(class name: (constant) @def)
(module name: (constant) @def)
(call method: (identifier) @use)
(call receiver: (constant) @use)`,
};
const php: Language = {
  name: "php",
  grammar: "tree-sitter-php.wasm",
  query: `
(function_definition name: (name) @def)
(class_declaration name: (name) @def)
(interface_declaration name: (name) @def)
(trait_declaration name: (name) @def)
(method_declaration name: (name) @def)
(function_call_expression function: (name) @use)
(member_call_expression name: (name) @use)
(scoped_call_expression name: (name) @use)
(object_creation_expression (name) @use)`,
};

/** File ending → language. What is not here has no symbols. */
const byExtension: Readonly<Record<string, Language>> = {
  ".ts": typescript,
  ".mts": typescript,
  ".cts": typescript,
  ".tsx": tsx,
  ".js": javascript,
  ".mjs": javascript,
  ".cjs": javascript,
  ".jsx": javascript,
  ".py": python,
  ".go": go,
  ".rs": rust,
  ".java": java,
  ".cs": csharp,
  ".c": cpp,
  ".h": cpp,
  ".cc": cpp,
  ".cpp": cpp,
  ".hpp": cpp,
  ".rb": ruby,
  ".php": php,
};

export function languageOf(file: string): Language | undefined {
  const dot = file.lastIndexOf(".");
  return dot < 0 ? undefined : byExtension[file.slice(dot).toLowerCase()];
}
