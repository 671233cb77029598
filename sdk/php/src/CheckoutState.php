<?php

declare(strict_types=1);

namespace Quittance;

/**
 * The states of a checkout: `CheckoutState::tryFrom($checkout['state'])?->isCredited()`. A newer service may have
 * others, which are not credited.
 */
enum CheckoutState: string
{
    case Created = 'CREATED';
    case Pending = 'PENDING';
    case Processing = 'PROCESSING';
    case Completed = 'COMPLETED';
    case DelayedCompleted = 'DELAYED_COMPLETED';
    case Underpaid = 'UNDERPAID';
    case Resolved = 'RESOLVED';
    case Expired = 'EXPIRED';
    case Canceled = 'CANCELED';
    case Refunded = 'REFUNDED';

    /** The account was credited: ship the goods. */
    public function isCredited(): bool
    {
        return in_array($this, [self::Completed, self::DelayedCompleted, self::Resolved], true);
    }
}
