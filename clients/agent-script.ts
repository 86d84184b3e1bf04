import type {
  ModelCall,
  ModelReply,
  ModelRequest,
  ModelScript,
  ModelTurn,
} from '../test/support/agent-upstream/model.ts';

/** The tools of one agent, by their names and parameters. */
export interface AgentTools {
  shell: (command: string) => ModelCall;
  /** Starts a subagent with a prompt. */
  delegate?: (prompt: string) => ModelCall;
  /** Ends a subagent that has this tool. */
  finish?: (report: string) => ModelCall;
}

export const PROMPTS = {
  parallel: 'STEP-PARALLEL Show both values.',
  single: 'STEP-SINGLE Show the third value.',
  subagent: 'STEP-SUBAGENT Let a subagent find the fourth value.',
} as const;
const DELEGATED_PROMPT = 'STEP-DELEGATED Show the fourth value.';

/** A command that contains its value in hexadecimal only, so that `value-101` comes from a real result. */
function showValue(index: number): string {
  return `printf value-%d 0x${(100 + index).toString(16)}`;
}

/** A step that shows its marker in the prompt: calls first, then a text with their results. */
interface Step {
  marker: string;
  thought: string;
  calls(tools: AgentTools): ModelCall[];
}

const STEPS: readonly Step[] = [
  {
    marker: 'STEP-PARALLEL',
    thought: 'Two commands can run at the same time.',
    calls: ({ shell }) => [shell(showValue(1)), shell(showValue(2))],
  },
  {
    marker: 'STEP-SINGLE',
    thought: 'One more command.',
    calls: ({ shell }) => [shell(showValue(3))],
  },
  {
    marker: 'STEP-SUBAGENT',
    thought: 'A subagent does it.',
    calls: ({ shell, delegate }) => [delegate?.(DELEGATED_PROMPT) ?? shell(showValue(4))],
  },
  {
    marker: 'STEP-DELEGATED',
    thought: 'I am the subagent.',
    calls: ({ shell }) => [shell(showValue(4))],
  },
];

/**
 * A model that follows the last marker of the conversation: it calls the tools of the step, and then reports the
 * values of all tool results so far.
 */
export function agentScript(tools: AgentTools): ModelScript {
  return ({ turns, tools: declared }: ModelRequest): ModelReply => {
    const place = turns.findLastIndex((turn) => stepOf(turn) !== undefined);
    const step = turns[place] === undefined ? undefined : stepOf(turns[place]);
    const calls = step?.calls(tools) ?? [];
    // Requests for a title or a summary declare no tools.
    if (!calls.every(({ name }) => declared.includes(name)) || step === undefined)
      return { text: 'A conversation about values' };
    const results = turns.slice(place).filter(({ role }) => role === 'tool');
    if (results.length === 0) return { thought: step.thought, text: 'I run commands.', calls };
    const report = `Values: ${valuesOf(turns).join(' ')}`;
    const finish = tools.finish?.(report);
    if (finish !== undefined && declared.includes(finish.name)) return { calls: [finish] };
    return { thought: 'All results are here.', text: report };
  };
}

function stepOf({ role, text }: ModelTurn): Step | undefined {
  if (role !== 'user') return undefined;
  return STEPS.find(({ marker }) => text.includes(marker));
}

function valuesOf(turns: readonly ModelTurn[]): string[] {
  const results = turns.filter(({ role }) => role === 'tool').map(({ text }) => text);
  // Results of parallel calls arrive in any order.
  return [...new Set(results.join('\n').match(/value-\d+/g))].toSorted();
}
