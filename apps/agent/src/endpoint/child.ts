/** The endpoint process that the agent starts: all commands, on verbs. */
import { operate } from './operations.js';
import { serve } from './serve.js';

serve(operate);
