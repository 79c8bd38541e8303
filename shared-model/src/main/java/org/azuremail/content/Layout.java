package org.azuremail.content;

import org.jspecify.annotations.Nullable;

/**
 * The layout of a message's content.
 *
 * @param template names a template of the gallery; empty for HTML that is a whole page
 * @param preview what inboxes show behind the subject; may be empty, and may have merge fields
 */
public record Layout(String template, String preview) {

    /** Of Markdown whose author chose nothing. */
    public static final Layout LETTER = new Layout("letter", "");

    /** Of HTML whose author chose nothing. */
    public static final Layout NONE = new Layout("", "");

    /** {@code null} leaves a part as it is. */
    public Layout with(@Nullable String otherTemplate, @Nullable String otherPreview) {
        return new Layout(
                otherTemplate == null ? template : otherTemplate.strip(),
                otherPreview == null ? preview : otherPreview.strip());
    }
}
