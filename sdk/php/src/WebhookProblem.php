<?php

declare(strict_types=1);

namespace Quittance;

/** Why a webhook is not believed. For a log: to whoever sent it, every reason is the same 401. */
enum WebhookProblem: string
{
    case NoSecret = 'no-secret';
    case Unsigned = 'unsigned';
    case WrongSignature = 'wrong-signature';
    case WrongTime = 'wrong-time';
    case Unreadable = 'unreadable';
}
