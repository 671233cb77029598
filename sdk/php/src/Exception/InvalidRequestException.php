<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 400: something in the request is wrong or missing; `$sentences` names all of it. */
final class InvalidRequestException extends ApiException
{
}
