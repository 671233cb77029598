<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 403: the key may not do that, or not from this address. */
final class NotAllowedException extends ApiException
{
}
