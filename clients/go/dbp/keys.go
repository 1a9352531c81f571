package dbp

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxInt is the largest integer on the wire.
const MaxInt = 1<<53 - 1

// NoLimit stands for "no clock at all", in milliseconds.
const NoLimit = 2147483647

type form int

const (
	integer form = iota // int64
	word                // string that is never escaped
	phrase              // string of people, escaped in text
	list                // []string of words
)

// kind is the type of a key, which has the same one in every message (DBP-6.2).
type kind struct {
	form      form
	low, high int64             // bounds of an integer, of the characters of a phrase, of the items of a list
	fits      func(string) bool // what a word, an item, or the decimal form of an integer must be
	reads     string            // completes "KEY must be"
}

var (
	isKey      = matcher(`[a-z][a-z0-9_]*`)
	isWord     = matcher(`[a-z][a-z0-9_]{0,31}`)
	isSquare   = matcher(`[a-i][1-9]`)
	isVersions = matcher(`(0|[1-9][0-9]{0,5})-(0|[1-9][0-9]{0,5})`)
	isControl  = matcher(`[0-9.]{1,12}\+[0-9.]{1,12}|[0-9.]{1,12}|inf`)
	isLayout   = matcher(`[HVDA]{36}|[HVDA]{81}`)
	isCells    = matcher(`[.xo]{36}|[.xo]{81}`)
	isInteger  = matcher(`0|[1-9][0-9]{0,15}`)
)

func matcher(pattern string) func(string) bool {
	return regexp.MustCompile(`\A(?:` + pattern + `)\z`).MatchString
}

func oneOf(choices ...string) func(string) bool {
	return func(s string) bool {
		for _, choice := range choices {
			if s == choice {
				return true
			}
		}
		return false
	}
}

func whole(low, high int64) kind {
	return kind{form: integer, low: low, high: high, reads: fmt.Sprintf("an integer from %d to %d", low, high)}
}

func people(low, high int64) kind {
	return kind{form: phrase, low: low, high: high, reads: fmt.Sprintf("%d to %d characters", low, high)}
}

func choice(choices ...string) kind {
	return kind{form: word, fits: oneOf(choices...), reads: strings.Join(choices, " or ")}
}

var (
	anyInt  = whole(0, MaxInt)
	code    = kind{form: word, fits: isWord, reads: "a word of lower-case letters, digits and _"}
	square  = kind{form: word, fits: isSquare, reads: "a square such as e4"}
	squares = kind{form: list, high: 81, fits: isSquare, reads: "at most 81 squares such as e4"}
	cells   = kind{form: word, fits: isCells, reads: "36 or 81 characters out of . x and o"}
	layout  = kind{form: word, fits: isLayout, reads: "36 or 81 letters out of H, V, D and A"}
)

var keys = map[string]kind{
	"donuts":  {form: word, fits: isVersions, reads: "a range of versions such as 1-1"},
	"name":    people(1, 40),
	"ver":     people(0, 40),
	"author":  people(0, 40),
	"caps":    {form: list, high: 32, fits: isWord, reads: "at most 32 words"},
	"seat":    people(1, 128),
	"session": people(1, 64),
	"tc":      {form: word, fits: isControl, reads: "a time control such as 10+0.1"},
	"id":      anyInt, "sq": square,
	"eval": whole(0, 1000), "proof": choice("win", "draw", "loss"), "nodes": anyInt, "depth": anyInt,
	"pv": squares, "text": people(0, 200), "code": code,
	"maxline": whole(1, MaxInt), "ref": people(1, 80),
	"you":   choice("x", "o"),
	"size":  {form: integer, low: 6, high: 9, fits: oneOf("6", "9"), reads: "6 or 9"},
	"rings": whole(1, 40), "main": anyInt, "inc": anyInt, "margin": anyInt, "prep": anyInt, "movemax": anyInt,
	"opp": people(1, 40), "seed": anyInt, "game": anyInt, "ply": whole(0, 80),
	"layout": layout, "cells": cells, "last": square,
	"legal": {form: list, low: 1, high: 81, fits: isSquare, reads: "1 to 81 squares such as e4"},
	"clock": anyInt, "oclock": anyInt, "limit": anyInt, "spent": anyInt, "resend": whole(0, 1),
	"why": code, "result": choice("win", "loss", "draw", "void"), "winner": choice("x", "o"),
	"five": squares, "moves": squares, "more": whole(0, 1), "min": anyInt, "max": anyInt,
}

// holds tells whether value, an int64, string or []string, is one of this kind.
func (k kind) holds(value any) bool {
	switch v := value.(type) {
	case int64:
		return k.form == integer && k.low <= v && v <= k.high && (k.fits == nil || k.fits(strconv.FormatInt(v, 10)))
	case string:
		switch k.form {
		case word:
			return k.fits(v)
		case phrase:
			length := int64(utf8.RuneCountInString(v))
			return k.low <= length && length <= k.high && isClean(v)
		}
	case []string:
		if k.form != list || int64(len(v)) < k.low || int64(len(v)) > k.high {
			return false
		}
		for _, item := range v {
			if !k.fits(item) {
				return false
			}
		}
		return true
	}
	return false
}

// isClean tells whether s is UTF-8 without control characters and bidirectional controls (DBP-3.10).
func isClean(s string) bool {
	for _, r := range s {
		switch {
		case r < 0x20, 0x7f <= r && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f,
			0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			return false
		}
	}
	return utf8.ValidString(s)
}
