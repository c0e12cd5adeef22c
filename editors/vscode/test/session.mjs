/**
 * Opens a document with the protocol library of the client, and prints its diagnostics, fixes and description as JSON.
 *
 * Arguments: the file, the position (line and character from 0), the command of the server.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node.js";

const [file, line, character, ...command] = process.argv.slice(2);
const uri = pathToFileURL(file).href;
const folder = dirname(file);
const server = spawn(command[0], command.slice(1), { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);
const published = new Promise((resolve) =>
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve),
);
connection.onRequest(protocol.RegistrationRequest.type, () => undefined);
connection.listen();

const positionEncodings = ["utf-8", "utf-16"];
const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: pathToFileURL(folder).href,
  workspaceFolders: null,
  capabilities: { general: { positionEncodings }, workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
});
await connection.sendNotification(protocol.InitializedNotification.type, {});
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: "yaml", version: 1, text: readFileSync(file, "utf8") },
});
const { diagnostics } = await published;
const position = { line: Number(line), character: Number(character) };
const textDocument = { uri };
const range = { start: position, end: position };
const fixes = await connection.sendRequest(protocol.CodeActionRequest.type, {
  textDocument,
  range,
  context: { diagnostics },
});
const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument, position });
console.log(JSON.stringify({ encoding: capabilities.positionEncoding, diagnostics, fixes, hover }));
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
server.on("exit", (code) => process.exit(code ?? 1));
