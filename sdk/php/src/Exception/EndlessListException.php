<?php

declare(strict_types=1);

namespace Quittance\Exception;

use RuntimeException;

/** A list of the service leads back to a page that was there already. */
final class EndlessListException extends RuntimeException implements QuittanceException
{
    public function __construct()
    {
        parent::__construct('The server names a page that was there already: this list would never end.');
    }
}
