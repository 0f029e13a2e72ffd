/** `true` for tools that a provider defines, called `provider-defined` in ai 5 and `provider` later. */
export function isProviderTool(tool: { readonly type?: unknown }): boolean {
  return tool.type === 'provider' || tool.type === 'provider-defined';
}
