/** `--record`: a run as one file, with everything needed to run it again. */
import type { ModeName } from '../agents/registry.js';
import { SessionFault } from '../session/fault.js';
import { createRecorder, type Recorder } from '../session/recording.js';
import type { ChosenModel } from './chosen-model.js';
import type { Config } from './config.js';
import { lineRedactor } from './redact.js';
import { sessionUsageError } from './sessions.js';
import { VERSION } from './version.js';

/** Starts the recording. Throws UsageError when the file cannot be made or is something else. */
export async function startRecording(
  file: string,
  about: {
    readonly config: Config;
    readonly chosen: ChosenModel & { readonly toolMode?: 'native' | 'text' };
    readonly mode: ModeName;
    readonly task: string;
  },
): Promise<Recorder> {
  const { config, chosen } = about;
  const toolMode = chosen.toolMode ?? (config.toolMode === 'auto' ? (chosen.info.tools ? 'native' : 'text') : config.toolMode);
  try {
    const header = {
      app: `chatcli ${VERSION}`,
      created: Date.now(),
      mode: about.mode,
      task: about.task,
      provider: chosen.service,
      model: chosen.model,
      toolMode,
      permissionMode: config.permissionMode,
      workspace: config.root,
      home: config.home,
    } as const;
    return await createRecorder(file, header, { redact: lineRedactor(config) });
  } catch (error) {
    if (error instanceof SessionFault) throw sessionUsageError(error);
    throw error;
  }
}
