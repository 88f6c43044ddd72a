import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolder } from './agent-folder.js';

const manifest = JSON.parse(readFileSync(join(agentFolder, 'package.json'), 'utf8')) as {
  version: string;
};

export const VERSION: string = manifest.version;
