/**
 * Live updates of pages by server-sent events. A stream only says that something changed, and the page then fetches its
 * own fragment.
 *
 * <p>How to use it: define a bean of type {@link org.azuremail.web.live.LiveSource}, whose topic is the kind of the
 * thing. In the page, give the element that changes an {@code id}, {@code data-live="<topic>.<id>"},
 * {@code data-version="<the source's version when the page was rendered>"}, {@code hx-get="<its fragment>"},
 * {@code hx-trigger="live"} and {@code hx-swap="outerHTML"}. The fragment has the same attributes with the new version.
 * A fragment without {@code data-live} ends the watch. Read the version before the state that it stands for. Without
 * streams, the element is fetched at growing intervals; without script, the page needs a link to itself.
 */
@NullMarked
package org.azuremail.web.live;

import org.jspecify.annotations.NullMarked;
