import Anthropic from '@anthropic-ai/sdk';
import Cloudflare from 'cloudflare';
import OpenAI from 'openai';

// The entry of a bundle for browsers: the clients as their packages contain them.
Object.assign(globalThis, { Anthropic, Cloudflare, OpenAI });
