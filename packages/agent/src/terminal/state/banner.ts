import type { Item } from './item.ts'

/** Facts known when a terminal opens. */
interface BannerFacts {
  readonly project: string
  readonly version: string
  readonly model: string
  /** The user answers in the model's place. */
  readonly played: boolean
}

/** The first thing that a terminal shows. */
export function makeBanner({ project, version, model, played }: BannerFacts): Item {
  const title = `hookline-agent ${version}`
  if (!played)
    return { kind: 'banner', title, lines: [`model  ${model}`, `folder ${project}`, '/help lists the commands'] }
  return {
    kind: 'banner',
    title,
    lines: [
      `folder ${project}`,
      '',
      'No model is configured, so you play the model. At its turn, type a call such as "Bash git status" or ' +
        '"Write notes.txt hello", or text, which ends the turn. Hooks see it as if a model had said it.',
      '',
      'To configure a model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or HOOKLINE_MODEL (ollama/qwen3 needs no key), ' +
        'or start with --model NAME.',
    ],
  }
}
