import type { Usage } from '../../output/messages.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'

/** Source of a status line. */
interface StatusSource {
  readonly store: Pick<Store<State>, 'get'>
  readonly options: { readonly project: string; readonly version: string }
  /** The model that answers now. */
  readonly modelName: string
  /** Tokens that fit into a request to it. */
  readonly contextWindow: number
  /** Milliseconds that models have taken to answer. */
  readonly answeringMs: number
  readonly started: Date
}

/** Past this many tokens in a request providers ask another price. */
const LARGE_REQUEST = 200_000

/** Makes what a status line command reads: everything that Claude Code sends to one, as far as it is known here. */
export function makeStatus(host: StatusSource): Readonly<Record<string, unknown>> {
  const { session, cost, usage, lastUsage, lines } = host.store.get()
  const { project, version } = host.options
  return {
    hook_event_name: 'Status',
    session_id: session?.id ?? '',
    transcript_path: session?.transcriptPath ?? '',
    cwd: session?.cwd ?? project,
    model: { id: host.modelName, display_name: host.modelName },
    workspace: { current_dir: session?.cwd ?? project, project_dir: project, added_dirs: [] },
    version,
    output_style: { name: 'default' },
    permission_mode: session?.mode ?? 'default',
    cost: {
      total_cost_usd: cost ?? 0,
      total_duration_ms: Date.now() - host.started.getTime(),
      total_api_duration_ms: Math.round(host.answeringMs),
      total_lines_added: lines.added,
      total_lines_removed: lines.removed,
    },
    context_window: {
      total_input_tokens: usage.inputTokens,
      total_output_tokens: usage.outputTokens,
      context_window_size: host.contextWindow,
      ...makeWindowShares(lastUsage, host.contextWindow),
      current_usage: lastUsage === null ? null : toCurrentUsage(lastUsage),
    },
    exceeds_200k_tokens: lastUsage !== null && lastUsage.inputTokens + lastUsage.outputTokens > LARGE_REQUEST,
  }
}

/** Computes how full the window was at the last request, in whole percents; null: before the first. */
function makeWindowShares(last: Usage | null, size: number): object {
  if (last === null || size <= 0) return { used_percentage: null, remaining_percentage: null }
  const used = Math.min(100, Math.round((last.inputTokens / size) * 100))
  return { used_percentage: used, remaining_percentage: 100 - used }
}

/** Here input counts without what a cache held or took in. */
function toCurrentUsage(last: Usage): object {
  const { inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWriteTokens: write = 0 } = last
  return {
    input_tokens: inputTokens - read - write,
    output_tokens: outputTokens,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
  }
}
