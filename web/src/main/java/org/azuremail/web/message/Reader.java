package org.azuremail.web.message;

import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The person with whose values a message is shown.
 *
 * @param reader the address of a subscriber of the list, or its beginning; empty for made-up values
 * @param bare whether to show the message as a person without any values would see it
 * @param longest whether the made-up values are very long, which shows whether the layout has room for them
 */
record Reader(
        @Nullable String reader,
        @Nullable Boolean bare,
        @Nullable Boolean longest) {

    static final Reader MADE_UP = new Reader("", false, false);

    static final Reader WITHOUT_VALUES = new Reader("", true, false);

    Reader {
        bare = Boolean.TRUE.equals(bare);
        longest = Boolean.TRUE.equals(longest);
    }

    boolean nothingKnown() {
        return Boolean.TRUE.equals(bare);
    }

    boolean longValues() {
        return Boolean.TRUE.equals(longest) && !nothingKnown();
    }

    /** Returns whether the values are those of a subscriber, if the list has the address. */
    public boolean ofSubscriber() {
        return !nothingKnown() && !longValues() && !address().isEmpty();
    }

    public String address() {
        return FormErrors.stripped(reader);
    }

    /**
     * Returns the query for the address of a page, which has no room for more than an email address; empty for made-up
     * values.
     */
    public String query() {
        UriComponentsBuilder query = UriComponentsBuilder.newInstance();
        if (!address().isEmpty() && address().length() <= EmailAddress.MAX_LENGTH) {
            query.queryParam("reader", "{address}");
        }
        if (nothingKnown()) {
            query.queryParam("bare", "true");
        }
        if (longValues()) {
            query.queryParam("longest", "true");
        }
        return query.encode().buildAndExpand(address()).toUriString();
    }
}
