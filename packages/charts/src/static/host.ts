/**
 * A React host for use without a document. Recharts registers axes, lines and layers in effects. `react-dom/server`
 * runs no effects, so a chart would be empty. This host runs them and keeps the elements as a tree.
 */
import { createContext, createElement, Fragment, version, type ReactNode } from 'react';
import createReconciler from 'react-reconciler';
import { DefaultEventPriority, NoEventPriority } from 'react-reconciler/constants.js';

type Props = Readonly<Record<string, unknown>>;

/** An element. A component gets it through its ref, and `createPortal` accepts it as a container. */
class Node {
  readonly nodeType = 1;
  parent: Node | null = null;
  readonly children: (Node | Text)[] = [];

  constructor(
    readonly type: string,
    public props: Props,
  ) {}

  /** Returns an empty rectangle. There is no screen, so a component that measures itself finds no size. */
  getBoundingClientRect() {
    return { x: 0, y: 0, left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 };
  }

  /** Returns nothing. Axes look up their labels to measure them, and there is nothing to measure. */
  getElementsByClassName(): readonly never[] {
    return [];
  }

  insert(child: Node | Text, before?: Node | Text): void {
    this.remove(child);
    child.parent = this;
    const at = before === undefined ? -1 : this.children.indexOf(before);
    this.children.splice(at < 0 ? this.children.length : at, 0, child);
  }

  remove(child: Node | Text): void {
    const at = this.children.indexOf(child);
    if (at >= 0) this.children.splice(at, 1);
  }
}

class Text {
  parent: Node | null = null;
  constructor(public text: string) {}
}

let priority = NoEventPriority;
const nothing = (): void => undefined;
const never = (): boolean => false;
const none = (): null => null;
const HOST = {};

const reconciler = createReconciler({
  rendererPackageName: '@verbslab/charts',
  rendererVersion: version,
  extraDevToolsConfig: null,
  bindToConsole: (method: 'log', args: unknown[]) => console[method].bind(console, ...args),
  isPrimaryRenderer: false,
  supportsMutation: true,
  supportsPersistence: false,
  supportsHydration: false,
  warnsIfNotActing: false,
  noTimeout: -1,
  NotPendingTransition: null,
  HostTransitionContext: createContext(null) as never,
  createInstance: (type: string, props: Props) => new Node(type, props),
  createTextInstance: (text: string) => new Text(text),
  appendInitialChild: (parent: Node, child: Node | Text) => parent.insert(child),
  appendChild: (parent: Node, child: Node | Text) => parent.insert(child),
  appendChildToContainer: (parent: Node, child: Node | Text) => parent.insert(child),
  insertBefore: (parent: Node, child: Node | Text, before: Node | Text) => parent.insert(child, before),
  insertInContainerBefore: (parent: Node, child: Node | Text, before: Node | Text) =>
    parent.insert(child, before),
  removeChild: (parent: Node, child: Node | Text) => parent.remove(child),
  removeChildFromContainer: (parent: Node, child: Node | Text) => parent.remove(child),
  clearContainer: (parent: Node) => void parent.children.splice(0),
  commitUpdate: (node: Node, _type: string, _before: Props, props: Props) => void (node.props = props),
  commitTextUpdate: (text: Text, _before: string, now: string) => void (text.text = now),
  finalizeInitialChildren: never,
  shouldSetTextContent: never,
  getRootHostContext: () => HOST,
  getChildHostContext: () => HOST,
  getPublicInstance: (node: Node | Text) => node,
  prepareForCommit: none,
  resetAfterCommit: nothing,
  preparePortalMount: nothing,
  scheduleTimeout: setTimeout,
  cancelTimeout: clearTimeout,
  getInstanceFromNode: none,
  beforeActiveInstanceBlur: nothing,
  afterActiveInstanceBlur: nothing,
  prepareScopeUpdate: nothing,
  getInstanceFromScope: none,
  detachDeletedInstance: nothing,
  setCurrentUpdatePriority: (now: number) => void (priority = now),
  getCurrentUpdatePriority: () => priority,
  resolveUpdatePriority: () => (priority === NoEventPriority ? DefaultEventPriority : priority),
  resetFormInstance: nothing,
  requestPostPaintCallback: nothing,
  shouldAttemptEagerTransition: never,
  trackSchedulerEvent: nothing,
  resolveEventType: none,
  resolveEventTimeStamp: () => -1,
  maySuspendCommit: never,
  maySuspendCommitOnUpdate: never,
  maySuspendCommitInSyncRender: never,
  suspendOnActiveViewTransition: nothing,
  getSuspendedCommitReason: none,
  preloadInstance: () => true,
  startSuspendingCommit: none,
  suspendInstance: nothing,
  waitForCommitToBeReady: none,
});

const elementOf = (node: Node | Text, key: number): ReactNode => {
  if (node instanceof Text) return node.text;
  const { children: _, ref: __, ...props } = node.props;
  return createElement(node.type, { ...props, key }, ...node.children.map(elementOf));
};

/** The elements of a drawing after all of its effects have run. They contain no component and no effect. */
export function settled(drawn: ReactNode, idPrefix: string): ReactNode {
  return withWindow(() => settle(drawn, idPrefix));
}

/** Calls that wait for the next frame. The store of a chart announces its changes there. */
const frames: (() => void)[] = [];

/**
 * Provides `window` while a chart is drawn. An effect of recharts asks it whether motion should be reduced, and the
 * store of recharts asks it for a frame. Neither checks first that it exists.
 */
function withWindow<T>(draw: () => T): T {
  if ('window' in globalThis) return draw();
  const value = { requestAnimationFrame: (call: () => void) => void frames.push(call) };
  Object.defineProperty(globalThis, 'window', { value, configurable: true });
  try {
    return draw();
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
  }
}

function settle(drawn: ReactNode, idPrefix: string): ReactNode {
  const root = new Node('root', {});
  let failure: unknown = null;
  const fail = (error: unknown): void => void (failure ??= error);
  const container: unknown = reconciler.createContainer(
    root,
    0,
    null,
    false,
    null,
    idPrefix,
    fail,
    fail,
    fail,
    nothing,
    null,
  );
  try {
    reconciler.updateContainerSync(drawn, container, null, null);
    reconciler.flushSyncWork();
    for (let more = true; more;) {
      more = reconciler.flushPassiveEffects() || frames.length > 0;
      for (const frame of frames.splice(0)) frame();
      reconciler.flushSyncWork();
    }
    if (failure !== null)
      throw failure instanceof Error ? failure : new Error('A chart could not be drawn.', { cause: failure });
    return createElement(Fragment, null, ...root.children.map(elementOf));
  } finally {
    reconciler.updateContainerSync(null, container, null, null);
    reconciler.flushSyncWork();
    reconciler.flushPassiveEffects();
  }
}
