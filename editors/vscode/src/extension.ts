/** The client of `applylint lsp` for Visual Studio Code. */

import { commands, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const SECTION = "applylint";
const LANGUAGES = ["yaml", "helm"];

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand(`${SECTION}.restart`, restart),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.path`)) {
        void restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await start();
}

/** Starts the program; a failure is one message, since the program may not be installed. */
async function start(): Promise<void> {
  const settings = workspace.getConfiguration(SECTION);
  const command = settings.get<string>("path") || SECTION;
  const server: ServerOptions = {
    command,
    args: ["lsp"],
    options: { cwd: workspace.workspaceFolders?.[0]?.uri.fsPath },
  };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.flatMap((language) =>
      ["file", "untitled"].map((scheme) => ({ scheme, language })),
    ),
    initializationOptions: settings,
    synchronize: { configurationSection: SECTION },
  };
  client = new LanguageClient(SECTION, SECTION, server, options);
  try {
    await client.start();
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    void window.showErrorMessage(`applylint: ${command} lsp does not run: ${message}`);
  }
}
