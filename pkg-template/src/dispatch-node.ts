export {
  type ConnectedMcpServers,
  type ConnectMcpServersOptions,
  connectMcpServers,
  type McpServerConfig,
} from './dispatch/node/mcp-servers.js';
export { type ShellTools, type ShellToolsOptions, shellTools } from './dispatch/node/shell-tools.js';
export { type TerminalUser, type TerminalUserOptions, terminalUser } from './dispatch/node/terminal-user.js';
