<?php

declare(strict_types=1);

namespace Quittance;

use Closure;
use Generator;
use IteratorAggregate;
use Quittance\Exception\EndlessListException;

/**
 * A list that comes in pages. Go through all of it with `foreach`, which asks for the next page when it gets there, or
 * take one page at a time. Nothing is asked for before.
 *
 * @implements IteratorAggregate<int, array<string, mixed>>
 */
final class RecordList implements IteratorAggregate
{
    /**
     * @internal
     * @param Closure(?string): Page $ask
     */
    public function __construct(private readonly Closure $ask)
    {
    }

    /** One page: the first, or the one that begins at `$cursor`, the `next` of the page before. */
    public function page(?string $cursor = null): Page
    {
        return ($this->ask)($cursor);
    }

    /**
     * Page by page. A page may be empty without being the last.
     *
     * @return Generator<int, Page>
     */
    public function pages(): Generator
    {
        $seen = [];
        $page = $this->page();
        yield $page;
        while ($page->next !== null) {
            if (isset($seen[$page->next])) {
                throw new EndlessListException();
            }
            $seen[$page->next] = true;
            $page = $this->page($page->next);
            yield $page;
        }
    }

    /** @return Generator<int, array<string, mixed>> */
    public function getIterator(): Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page->items as $item) {
                yield $item; // Not `yield from`, which would count anew on every page.
            }
        }
    }

    /**
     * At most so many of them.
     *
     * @return list<array<string, mixed>>
     */
    public function take(int $count): array
    {
        $taken = [];
        if ($count > 0) {
            foreach ($this as $item) {
                $taken[] = $item;
                if (count($taken) >= $count) {
                    break;
                }
            }
        }
        return $taken;
    }
}
