/** Where an OpenAI-compatible API is, and who asks. */
export interface OpenAiConnection {
  /** The URL up to and without `/chat/completions`. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** Sent as `Authorization: Bearer …`. Local servers need none. */
  readonly apiKey?: string | undefined;
  /** Further headers of every request, such as `api-key` for Azure. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** Which model answers, and how. */
export interface ChatModel {
  /** The model's name at the API. */
  readonly model: string;
  /** Further members of the request, such as `temperature`, `seed` or `max_tokens`. */
  readonly parameters?: { readonly [name: string]: unknown } | undefined;
}

/** A model behind an OpenAI-compatible API, as a judge. */
export interface OpenAiJudgeOptions extends OpenAiConnection, ChatModel {
  /** The judge's name in results. Default: the model's. */
  readonly name?: string | undefined;
}
