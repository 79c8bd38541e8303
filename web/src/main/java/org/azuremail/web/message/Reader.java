package org.azuremail.web.message;

import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.Faults;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * With whose values a message is shown.
 *
 * @param reader address of a subscriber of its list, or the beginning of one; made-up values where it is empty
 * @param bare whether to show it as to a person of whom nothing is known
 */
record Reader(@Nullable String reader, @Nullable Boolean bare) {

    static final Reader MADE_UP = new Reader("", false);

    Reader {
        bare = Boolean.TRUE.equals(bare);
    }

    boolean nothingKnown() {
        return Boolean.TRUE.equals(bare);
    }

    public String address() {
        return Faults.stripped(reader);
    }

    /** For the address of a page, which has no room for more than an address; empty for made-up values. */
    public String query() {
        UriComponentsBuilder query = UriComponentsBuilder.newInstance();
        if (!address().isEmpty() && address().length() <= EmailAddress.MAX_LENGTH) {
            query.queryParam("reader", "{address}");
        }
        if (nothingKnown()) {
            query.queryParam("bare", "true");
        }
        return query.encode().buildAndExpand(address()).toUriString();
    }
}
