import type { LAMBDA_OPS } from '@verbslab/protocol';
import { signImage } from './lambda/image.js';
import { readModule } from './lambda/own-module.js';
import { piece } from './memory-operations.js';
import type { Operations, Parsed } from './operations.js';
import { elapsedSince } from './polling.js';
import type { Session } from './session.js';

type Place = Parsed<'lambda.run'>['input'];

/** Bytes of a memory region. Throws BAD_HANDLE and LIMIT. */
export const bytesAt = ({ mrs }: Session, { mr, offset, length }: Place): Uint8Array =>
  piece(mrs.get(mr), offset, length);

export const lambdaOperations: Operations<keyof typeof LAMBDA_OPS> = {
  'lambda.sign'({ lambdas }, { module, signer }) {
    const own = lambdas.signer(signer);
    return {
      image: signImage(Buffer.from(module, 'base64'), own).toString('base64'),
      publicKey: own.publicKey,
    };
  },

  async 'lambda.own'() {
    const { VERBSLAB_MODULE: path } = process.env;
    return { module: path ? (await readModule(path)).toString('base64') : null };
  },

  async 'lambda.load'(session, { image, ...limits }) {
    const { verifyNs, compileNs, moduleBytes, ...lambda } = await session.lambdas.load(
      bytesAt(session, image),
      limits,
    );
    return { lambda: session.loaded.add(lambda), verifyNs, compileNs, moduleBytes };
  },

  async 'lambda.run'(session, { lambda, input, output }) {
    const begun = process.hrtime.bigint();
    const ran = await session.lambdas.run(
      session.loaded.get(lambda),
      bytesAt(session, input),
      bytesAt(session, output),
    );
    return { ...ran, totalNs: elapsedSince(begun) };
  },

  async 'lambda.unload'({ lambdas, loaded }, { lambda }) {
    const one = loaded.get(lambda);
    loaded.delete(lambda);
    await lambdas.unload(one);
    return {};
  },
};
