import type { TerminalHost } from './host.ts'

/** What a status line command reads. */
export function statusOf(host: TerminalHost): Readonly<Record<string, unknown>> {
  const { session, cost, usage } = host.store.get()
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
    },
    context_window: { total_input_tokens: usage.inputTokens, total_output_tokens: usage.outputTokens },
  }
}
