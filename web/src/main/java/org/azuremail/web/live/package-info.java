/**
 * Pages that follow what goes on, by server-sent events. The stream only says that something changed; the page then fetches
 * its own fragment.
 *
 * <p>How to use it: make a bean of {@link org.azuremail.web.live.LiveSource}, whose topic is the kind of the thing. In the page,
 * give the element that changes an {@code id}, {@code data-live="<topic>.<id>"},
 * {@code data-version="<the source's version when the page was made>"}, {@code hx-get="<its fragment>"},
 * {@code hx-trigger="live"} and {@code hx-swap="outerHTML"}. The fragment has the same attributes with the new version; once it
 * has no {@code data-live} any more, nothing is watched. Read the version before what it stands for. Without streams the
 * element is fetched at growing intervals; without script the page needs a link to itself.
 */
@NullMarked
package org.azuremail.web.live;

import org.jspecify.annotations.NullMarked;
