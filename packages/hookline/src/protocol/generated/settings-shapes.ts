// Generated from the schemas in src/protocol by `npm run generate`.
export const settings = {"disableAllHooks":"boolean","allowManagedHooksOnly":"boolean","statusLine":{"fields":{"type":{"values":["command"]},"command":"string","padding":"number"},"required":["type","command"]},"fileSuggestion":{"fields":{"type":{"values":["command"]},"command":"string"},"required":["type","command"]}} as const
